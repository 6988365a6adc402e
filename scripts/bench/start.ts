// Time from starting the process to the first answer of /readyz, on an SQLite file that is there already.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url))
const directory = mkdtempSync(`${tmpdir()}/outreach-forecast-start-`)

const startOnce = async (): Promise<number> => {
  const started = performance.now()
  const server = spawn(process.execPath, [main, "serve"], {
    cwd: directory,
    env: { PATH: process.env["PATH"], PORT: "0" },
    stdio: ["ignore", "ignore", "pipe"]
  })
  const closed = new Promise((resolve) => server.once("close", resolve))
  const url = await new Promise<string>((resolve) => {
    let log = ""
    server.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      log += chunk
      const found = /"url":"(http:[^"]+)"/.exec(log)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  const ready = await fetch(`${url}/readyz`)
  const millis = performance.now() - started
  if (ready.status !== 200) throw new Error(`/readyz answered ${ready.status}`)
  server.kill("SIGTERM")
  await closed
  return millis
}

const times: Array<number> = []
for (let round = 0; round < 11; round++) times.push(await startOnce())
rmSync(directory, { recursive: true })
const sorted = times.slice(1).toSorted((a, b) => a - b)
const show = (value: number | undefined) => `${Math.round(value ?? 0)} ms`
console.log(
  `start to ready, 10 rounds: median ${show(sorted[5])}, slowest ${show(sorted.at(-1))}, first of all ${show(times[0])}`
)
