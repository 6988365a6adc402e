import { statfs } from "node:fs/promises"
import { Context, Effect, FileSystem, Option, Path } from "effect"

/**
 * The fault of the file of the database: `damaged` if it or its write-ahead log was deleted or replaced, `full` if
 * its disk has hardly any room. A database without a file counts as healthy.
 */
export const DatabaseFile = Context.Reference<Effect.Effect<"damaged" | "full" | undefined>>(
  "outreach-forecast/database/DatabaseFile",
  { defaultValue: () => Effect.undefined }
)

/** The minimum space for a write-ahead log, in bytes. */
const minRoom = 1024 * 1024

/** The free space on a disk in bytes; some blocks are kept for root. */
const roomIn = (folder: string) =>
  Effect.map(
    Effect.tryPromise(() => statfs(folder)),
    ({ bavail, bfree, bsize }) => (process.getuid?.() === 0 ? bfree : bavail) * bsize
  )

/** Watches a SQLite file that has just been opened, and its write-ahead log. */
export const watchFile = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const folder = (yield* Path.Path).dirname(file)

  /** Identifies a file, even if it is replaced under the same name; undefined if there is none. */
  const identityOf = (name: string) =>
    files.stat(name).pipe(
      Effect.map(({ dev, ino }) => `${dev} ${Option.getOrElse(ino, () => 0)}`),
      Effect.catchIf(
        ({ reason }) => reason._tag === "NotFound",
        () => Effect.undefined
      )
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
  return Effect.gen(function* () {
    // If the system cannot say, the next write shows what is wrong.
    if (!(yield* Effect.orElseSucceed(isInPlace, () => true))) return "damaged"
    return (yield* Effect.orElseSucceed(roomIn(folder), () => minRoom)) < minRoom ? "full" : undefined
  })
})
