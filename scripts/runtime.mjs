// Copies into a folder everything the program needs to run and nothing else, for a container image: dist, and the guide
// that it serves. `npm run runtime -- FOLDER`, after `npm run build`.
import { chmodSync, cpSync, readdirSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { builtFiles } from "./inputs.mjs"

const [, , folder] = process.argv
if (folder === undefined) throw new Error("Name the folder to fill: npm run runtime -- FOLDER")
const target = resolve(folder)
process.chdir(fileURLToPath(new URL("..", import.meta.url)))
for (const file of builtFiles()) cpSync(join("dist", file), join(target, "dist", file))
// The program looks for the guide next to itself.
for (const name of ["docs", "package.json"]) cpSync(name, join(target, name), { recursive: true })

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
