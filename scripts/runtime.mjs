// Copies into a folder everything the program needs to run and nothing else, for a container image: dist, the guide
// that it serves, and the packages that are not bundled, with their dependencies. `npm run runtime -- FOLDER`, after
// `npm run build`.
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import { external } from "./external.mjs"
import { builtFiles } from "./inputs.mjs"

const [, , folder] = process.argv
if (folder === undefined) throw new Error("Name the folder to fill: npm run runtime -- FOLDER")
const target = resolve(folder)
const root = fileURLToPath(new URL("..", import.meta.url))

/** Leaves out types and source maps, which are most of a package and not needed to run it. */
const isRun = (/** @type {string} */ path) => !/\.(?:[cm]?ts|map)$/.test(path)

const Needs = Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
const decodeManifest = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ dependencies: Needs, optionalDependencies: Needs }))
)

const copied = new Set()
/** Copies a package with the packages nested in it, and the other packages that it depends on. @param {string} name */
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
process.chdir(root)
for (const file of builtFiles()) cpSync(join("dist", file), join(target, "dist", file))
cpSync(join(root, "docs"), join(target, "docs"), { recursive: true })
// The program looks for the guide next to itself.
cpSync(join(root, "package.json"), join(target, "package.json"))

/**
 * Lets every user read a folder and run the programs in it, whatever the umask of the checkout was.
 * @param {string} path
 */
const open = (path) => {
  const { mode } = statSync(path)
  chmodSync(path, (mode & 0o100) === 0 ? 0o644 : 0o755)
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) open(join(path, name))
}
open(target)
