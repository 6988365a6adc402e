import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { filesIn } from "./inputs.mjs"

/** @param {string} folder whose files are listed, by their paths relative to it */
const relativeFilesIn = (folder) => (existsSync(folder) ? filesIn(folder).map((file) => relative(folder, file)) : [])

/**
 * Moves the files of a folder into another one, each atomically, so that a process that reads there finds an old or a
 * new one. Deletes the other files there. @param {string} from @param {string} to @param {ReadonlyArray<string>} last
 * files that refer to other files and are moved after them, in this order @param {(file: string) => boolean} isKept
 * whether another file is kept, by its path in the folder @returns the files that were moved
 */
export const placeFiles = (from, to, last = [], isKept = () => false) => {
  const files = relativeFilesIn(from)
  for (const file of [...files.filter((file) => !last.includes(file)), ...last]) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    renameSync(join(from, file), join(to, file))
  }
  rmSync(from, { recursive: true })
  for (const file of relativeFilesIn(to)) {
    if (files.includes(file) || isKept(file)) continue
    rmSync(join(to, file))
    for (let folder = dirname(join(to, file)); readdirSync(folder).length === 0; folder = dirname(folder))
      rmdirSync(folder)
  }
  return files
}
