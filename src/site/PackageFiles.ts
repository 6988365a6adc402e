import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Effect } from "effect"

/** The package, whether the sources or the built program is run. */
const folder = dirname(createRequire(import.meta.url).resolve("outreach-forecast/package.json"))

/** The path of a file or folder of the package. */
export const inPackage = (path: string): string => join(folder, path)

/** Reads a file of the package; a missing one is a broken installation, and a defect. */
export const readPackageFile = (path: string): Effect.Effect<Uint8Array> =>
  Effect.promise(() => readFile(inPackage(path)))

/** The same for a text. */
export const readPackageText = (path: string): Effect.Effect<string> =>
  Effect.promise(() => readFile(inPackage(path), "utf8"))
