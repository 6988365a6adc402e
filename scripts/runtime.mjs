// Puts into a folder what the program needs to run and nothing else, for a container image: dist, the guide that it serves,
// and the packages that stay outside of dist, with those that they need. `npm run runtime -- FOLDER`, after `npm run build`.
import { cpSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import { external } from "./external.mjs"

const [, , target] = process.argv
if (target === undefined) throw new Error("Name the folder to fill: npm run runtime -- FOLDER")
const root = fileURLToPath(new URL("..", import.meta.url))

/** Types and maps of sources, most of what is in a package, are not for running. */
const isRun = (/** @type {string} */ path) => !/\.(?:[cm]?ts|map)$/.test(path)

const Needs = Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
const decodeManifest = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ dependencies: Needs, optionalDependencies: Needs }))
)

const copied = new Set()
/**
 * Copies a package, with what is nested in it, and the packages beside it that it needs.
 * @param {string} name
 */
const copy = (name) => {
  const from = join(root, "node_modules", name)
  if (copied.has(name) || !existsSync(from)) return
  copied.add(name)
  cpSync(from, join(target, "node_modules", name), { recursive: true, filter: isRun })
  const { dependencies, optionalDependencies } = decodeManifest(readFileSync(join(from, "package.json"), "utf8"))
  for (const need of Object.keys({ ...dependencies, ...optionalDependencies })) copy(need)
}

for (const name of external) {
  if (!existsSync(join(root, "node_modules", name))) throw new Error(`${name} is not installed`)
  copy(name)
}
const stamp = join(root, "dist/.setup-stamp")
cpSync(join(root, "dist"), join(target, "dist"), { recursive: true, filter: (path) => path !== stamp })
cpSync(join(root, "docs"), join(target, "docs"), { recursive: true })
// The program finds the guide beside it.
cpSync(join(root, "package.json"), join(target, "package.json"))
