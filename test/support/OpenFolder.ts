import { chmodSync, mkdtempSync, realpathSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** True if a file or folder has all of these permission bits. */
export const mayAll = (path: string, bits: number): boolean => (statSync(path).mode & bits) === bits

/** True if users other than the owner may enter a folder and all its parents. */
export const isOpen = (folder: string): boolean =>
  mayAll(folder, 0o001) && (dirname(folder) === folder || isOpen(dirname(folder)))

/** A new folder that other users can enter; the temporary folder may be private. */
export const openFolder = (prefix: string, preferred = tmpdir()): string => {
  const parent = [preferred, "/tmp", "/var/tmp"].find((folder) => isOpen(realpathSync(folder)))
  if (parent === undefined) {
    throw new Error(`Other users can enter none of the temporary folders: ${tmpdir()}, /tmp, /var/tmp`)
  }
  const directory = mkdtempSync(join(parent, prefix))
  chmodSync(directory, 0o755)
  return directory
}
