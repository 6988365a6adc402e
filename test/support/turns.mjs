// Loaded into a server process with --import: measures how long the turns of its event loop take. A first SIGUSR2
// starts the measurement, a second one writes the turns to the file TURNS, in milliseconds of the thread's processor
// time, which other processes hardly affect. Turns below a millisecond, those of an idle loop, are written as their
// sum.
import { renameSync, writeFileSync } from "node:fs"

/** @type {{ short: number, long: Array<number> } | undefined} */
let turns

const now = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

/** @param {number} before */
const watch = (before) => {
  setImmediate(() => {
    if (turns === undefined) return
    const after = now()
    if (after - before < 1) turns.short += after - before
    else turns.long.push(after - before)
    watch(after)
  })
}

process.on("SIGUSR2", () => {
  if (turns === undefined) {
    turns = { short: 0, long: [] }
    watch(now())
    return
  }
  const file = process.env["TURNS"] ?? ""
  writeFileSync(`${file}.part`, JSON.stringify(turns))
  renameSync(`${file}.part`, file)
  turns = undefined
})
