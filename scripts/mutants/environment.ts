// The installation of StrykerJS: one for each version, in a folder of node_modules from which it finds the project's
// Vitest. It is no dependency of the project, because it would increase their number by a third.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(new URL(".", import.meta.url))
const files = ["package.json", "package-lock.json"]

/** The path of the StrykerJS command, which is installed if it is missing. */
export const stryker = (): string => {
  const hash = files.reduce((hash, file) => hash.update(readFileSync(here + file)), createHash("sha256"))
  const folder = `${here}../../node_modules/.cache/mutants/${hash.digest("hex").slice(0, 16)}`
  if (!existsSync(folder)) {
    console.error("Installing StrykerJS …")
    const unfinished = `${folder}.${process.pid}`
    mkdirSync(unfinished, { recursive: true })
    for (const file of files) copyFileSync(here + file, `${unfinished}/${file}`)
    // Without its peer dependencies: Vitest must be the project's own.
    const options = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    execFileSync("npm", ["ci", ...options], { cwd: unfinished, stdio: ["ignore", 2, 2] })
    rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
  }
  return `${folder}/node_modules/@stryker-mutator/core/bin/stryker.js`
}
