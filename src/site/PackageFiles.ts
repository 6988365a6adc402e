import { readFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Effect } from "effect"

/** The package, whether the sources or the built program is run. */
const folder = dirname(createRequire(import.meta.url).resolve("outreach-forecast/package.json"))

/** The path of a file or folder of the package. */
const inPackage = (path: string): string => join(folder, path)

/** The error for a file that cannot be read; those in dist come from the build. */
const unreadable = (path: string, cause: unknown) =>
  new Error(path.startsWith("dist/") ? `${path} cannot be read: run npm run build` : `${path} cannot be read`, {
    cause
  })

/** Reads a file or folder of the package; a missing one is a broken installation, and a defect. */
const reading = <A>(path: string, read: (path: string) => Promise<A>): Effect.Effect<A> =>
  Effect.promise(() =>
    read(inPackage(path)).catch((cause: unknown) => {
      throw unreadable(path, cause)
    })
  )

export const readPackageFile = (path: string): Effect.Effect<Uint8Array> => reading(path, (file) => readFile(file))

export const readPackageText = (path: string): Effect.Effect<string> => reading(path, (file) => readFile(file, "utf8"))

/** The names of the files in a folder. */
export const readPackageFolder = (path: string): Effect.Effect<ReadonlyArray<string>> =>
  reading(path, (folder) => readdir(folder))

/** A text that is needed before anything runs; throws. */
export const packageText = (path: string): string => {
  try {
    return readFileSync(inPackage(path), "utf8")
  } catch (error) {
    throw unreadable(path, error)
  }
}
