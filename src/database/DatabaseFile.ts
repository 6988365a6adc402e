import { statfs } from "node:fs/promises"
import { Context, Effect, FileSystem, Option, Path, type PlatformError } from "effect"

/** What the file system reports about a database's file. */
interface FileState {
  /** `damaged` if the file or its write-ahead log was deleted or replaced, `full` if its disk has hardly any room. */
  readonly look: Effect.Effect<"damaged" | "full" | undefined>
  /** True if another process had the file open when this one opened it. */
  readonly wasInUse: boolean
}

/** The file of the database; a database without a file counts as healthy. */
export const DatabaseFile = Context.Reference<FileState>("outreach-forecast/database/DatabaseFile", {
  defaultValue: () => ({ look: Effect.undefined, wasInUse: false })
})

/** The minimum space for a write-ahead log, in bytes. */
const minRoom = 1024 * 1024

/** The free space on a disk in bytes; some blocks are kept for root. */
const roomIn = (folder: string) =>
  Effect.map(
    Effect.tryPromise(() => statfs(folder)),
    ({ bavail, bfree, bsize }) => (process.getuid?.() === 0 ? bfree : bavail) * bsize
  )

const isMissing = ({ reason }: PlatformError.PlatformError) => reason._tag === "NotFound"

/** Watches a SQLite file that has just been opened, and its write-ahead log. */
export const watchFile = Effect.fnUntraced(function* (file: string, wasInUse: boolean) {
  const files = yield* FileSystem.FileSystem
  const folder = (yield* Path.Path).dirname(file)

  /** Identifies a file, even if it is replaced under the same name; undefined if there is none. */
  const identityOf = (name: string) =>
    files.stat(name).pipe(
      Effect.map(({ dev, ino }) => `${dev} ${Option.getOrElse(ino, () => 0)}`),
      Effect.catchIf(isMissing, () => Effect.undefined)
    )
  const opened = yield* Effect.forEach([file, `${file}-wal`], (name) =>
    Effect.map(identityOf(name), (identity) => ({ name, identity }))
  )
  const isInPlace = Effect.map(
    Effect.forEach(opened, ({ identity, name }) =>
      identity === undefined ? Effect.succeed(true) : Effect.map(identityOf(name), (now) => now === identity)
    ),
    (found) => found.every(Boolean)
  )
  const state: FileState = {
    wasInUse,
    look: Effect.gen(function* () {
      // If the system cannot say, the next write shows what is wrong.
      if (!(yield* Effect.orElseSucceed(isInPlace, () => true))) return "damaged"
      return (yield* Effect.orElseSucceed(roomIn(folder), () => minRoom)) < minRoom ? "full" : undefined
    })
  }
  return state
})
