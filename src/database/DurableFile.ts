import { Effect, FileSystem, Path } from "effect"

/** Waits until a file, or the names in a folder, are on disk. */
export const sync = (name: string, flag: "r" | "r+") =>
  FileSystem.FileSystem.use((files) => Effect.scoped(Effect.flatMap(files.open(name, { flag }), ({ sync }) => sync)))

/** Renames a file that is on disk, within its folder, and waits until the new name is on disk too. */
export const renameDurably = Effect.fnUntraced(function* (from: string, to: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* files.rename(from, to)
  // Not every system can sync a folder.
  yield* Effect.ignore(sync(path.dirname(to), "r"))
})
