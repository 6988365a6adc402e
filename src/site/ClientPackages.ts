import { hash } from "node:crypto"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, FileSystem } from "effect"

/** A client package from the build. */
export interface ClientPackage {
  readonly file: string
  readonly language: "Python" | "TypeScript"
  readonly bytes: Uint8Array
  /** In hexadecimal digits. */
  readonly sha256: string
}

/** The folder in the package, whether the sources or the built program is run. */
const folder = join(dirname(createRequire(import.meta.url).resolve("outreach-forecast/package.json")), "dist/clients")

const readPackage = Effect.fnUntraced(function* (file: string) {
  const bytes = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.readFile(join(folder, file)))
  const language = file.endsWith(".whl") ? "Python" : "TypeScript"
  return { file, language, bytes, sha256: hash("sha256", bytes) } satisfies ClientPackage
})

/** Reads the packages, the one for Python first. A missing build is a defect. */
export const readClientPackages: Effect.Effect<ReadonlyArray<ClientPackage>> = Effect.gen(function* () {
  const files = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.readDirectory(folder))
  const packages = yield* Effect.forEach(files, readPackage)
  return packages.toSorted((a, b) => (a.language < b.language ? -1 : 1))
}).pipe(Effect.orDie, Effect.provide(NodeFileSystem.layer))
