import { accessSync, constants, statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Context, Predicate } from "effect"

/** What the file system reports about a database's file. */
interface FileState {
  /** True if the open files are still the ones with the database's name. */
  readonly isInPlace: () => boolean
  /** True if this process may write to the file. */
  readonly isWritable: () => boolean
  /** True if the disk has room for more than a few pages. */
  readonly hasRoom: () => boolean
  /** True if another process had the file open when this one opened it. */
  readonly wasInUse: boolean
}

/** The file of the database; a database without a file counts as healthy. */
export const DatabaseFile = Context.Reference<FileState>("outreach-forecast/database/DatabaseFile", {
  defaultValue: () => ({ isInPlace: () => true, isWritable: () => true, hasRoom: () => true, wasInUse: false })
})

/** The minimum space for a write-ahead log, in bytes. */
const leastRoom = 1024 * 1024

/**
 * Identifies a file, even if it is replaced under the same name; undefined if there is none, null if it cannot be read.
 */
const identityOf = (file: string): string | undefined | null => {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    return found && `${found.dev} ${found.ino}`
  } catch (error) {
    return Predicate.hasProperty(error, "code") && error.code === "ENOTDIR" ? undefined : null
  }
}

/** Watches a SQLite file that has just been opened, and its write-ahead log. A check takes a few microseconds. */
export const watchFile = (file: string, wasInUse: boolean): FileState => {
  const opened = [file, `${file}-wal`].map((name) => ({ name, identity: identityOf(name) }))
  return {
    wasInUse,
    isInPlace: () =>
      opened.every(({ identity, name }) => {
        const now = identity === undefined ? undefined : identityOf(name)
        return now === null || now === identity
      }),
    isWritable: () =>
      opened.every(({ identity, name }) => {
        try {
          if (identity !== undefined) accessSync(name, constants.W_OK)
          return true
        } catch {
          return false
        }
      }),
    hasRoom: () => {
      try {
        const { bavail, bfree, bsize } = statfsSync(dirname(file))
        // Some blocks are kept for root.
        return (process.getuid?.() === 0 ? bfree : bavail) * bsize >= leastRoom
      } catch {
        // `isInPlace` reports a missing folder.
        return true
      }
    }
  }
}
