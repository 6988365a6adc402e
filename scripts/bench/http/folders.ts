import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs"

/** Creates a folder that is deleted when this process ends. */
export const temporaryFolder = (parent: string): string => {
  const folder = mkdtempSync(`${parent}/outreach-forecast-bench-`)
  process.on("exit", () => rmSync(folder, { recursive: true, maxRetries: 5 }))
  return folder
}

const shared = "/dev/shm"

/** TMPFS_MAGIC of Linux. */
const tmpfs = 0x01_02_19_94

/** Room for the databases of a long run; containers often have 64 MB. */
const neededBytes = 1024 ** 3

/** True if files in the shared memory of the system lie in memory, with room for databases. */
const isUsable = (): boolean => {
  const { bavail, bsize, type } = statfsSync(shared)
  return type === tmpfs && bavail * bsize >= neededBytes
}

/** Creates a temporary folder in memory; undefined if this system has none with enough room. */
export const memoryFolder = (): string | undefined =>
  existsSync(shared) && isUsable() ? temporaryFolder(shared) : undefined
