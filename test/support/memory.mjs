// Loaded into a server process by --import: SIGUSR2 writes the memory in use, without garbage, to the file MEMORY, in bytes.
import { renameSync, writeFileSync } from "node:fs"

process.on("SIGUSR2", () => {
  globalThis.gc?.()
  const { external, heapUsed } = process.memoryUsage()
  const file = process.env["MEMORY"] ?? ""
  writeFileSync(`${file}.part`, String(heapUsed + external))
  renameSync(`${file}.part`, file)
})
