import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Reports why tests are skipped, and returns whether they are. */
const skips = (obstacle: string | undefined) => {
  if (obstacle !== undefined) process.stderr.write(`\nTests are skipped: ${obstacle}.\n\n`)
  return obstacle !== undefined
}

/** True if tests that inspect a process from outside must be skipped. */
export const lacksProc = () => skips(existsSync("/proc/self/fd") ? undefined : "they read /proc, which only Linux has")

/** True if programs in the temporary folder can be run. */
const runsTemporaryPrograms = () => {
  const folder = mkdtempSync(join(tmpdir(), "outreach-forecast-"))
  const program = join(folder, "program")
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 })
  const { status } = spawnSync(program)
  rmSync(folder, { recursive: true })
  return status === 0
}

/** True if tests that put programs into the temporary folder and run them there must be skipped. */
export const lacksTemporaryPrograms = () =>
  skips(runsTemporaryPrograms() ? undefined : `no program can be run in ${tmpdir()}, the temporary folder`)
