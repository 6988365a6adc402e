// Where StrykerJS runs from: installed once for a version of it, and kept in node_modules, apart from the dependencies of the
// project, of which it would add a third as many again. From there it finds the Vitest of the project.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(new URL(".", import.meta.url))
const files = ["package.json", "package-lock.json"]

/** The command of StrykerJS, installed where it is missing. */
export const stryker = (): string => {
  const hash = files.reduce((hash, file) => hash.update(readFileSync(here + file)), createHash("sha256"))
  const folder = `${here}../../node_modules/.cache/mutants/${hash.digest("hex").slice(0, 16)}`
  if (!existsSync(folder)) {
    console.error("Installing StrykerJS …")
    const unfinished = `${folder}.${process.pid}`
    mkdirSync(unfinished, { recursive: true })
    for (const file of files) copyFileSync(here + file, `${unfinished}/${file}`)
    // Without its peers: Vitest has to be the one that runs the tests.
    const options = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    execFileSync("npm", ["ci", ...options], { cwd: unfinished, stdio: ["ignore", 2, 2] })
    rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
  }
  return `${folder}/node_modules/@stryker-mutator/core/bin/stryker.js`
}
