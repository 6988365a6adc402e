// Loaded into a server process by --import: measures how long a turn of its event loop takes. SIGUSR2 begins, and a second
// one writes the longest turn to the file TURNS, in milliseconds of the thread's own time on a processor: what other
// processes do meanwhile makes no difference.
import { writeFileSync } from "node:fs"

/** @type {number | undefined} */
let longest

const now = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

/** @param {number} before */
const watch = (before) => {
  setImmediate(() => {
    if (longest === undefined) return
    const after = now()
    longest = Math.max(longest, after - before)
    watch(after)
  })
}

process.on("SIGUSR2", () => {
  if (longest === undefined) {
    longest = 0
    watch(now())
    return
  }
  writeFileSync(process.env["TURNS"] ?? "", String(longest))
  longest = undefined
})
