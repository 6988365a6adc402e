// Carries out the recipes of CONTRIBUTING.md, each in a copy of the repository: compares the files that the compiler
// names after the first change with those in the text, then makes the others, and compiles again. Exits with status 1
// if a recipe does not hold. With headings as arguments, it carries out only the recipes of these sections.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { carryOut, copyInto, namedIn } from "./recipes/carryOut.ts"
import { recipes } from "./recipes/recipes.ts"

const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url))

/** The faults that the compiler finds in a folder. */
const faultsIn = (folder: string) =>
  spawnSync(process.execPath, [compiler, "--pretty", "false"], { cwd: folder, encoding: "utf8" }).stdout

const filesIn = (faults: string): ReadonlyArray<string> =>
  [...new Set([...faults.matchAll(/^([^\s(][^(\n]*)\(\d+,\d+\): error/gm)].map(([, file = ""]) => file))].toSorted()

const sections = process.argv.slice(2)

for (const { first, rest, section } of recipes) {
  if (sections.length > 0 && !sections.includes(section)) continue
  const folder = mkdtempSync(join(tmpdir(), "outreach-forecast-"))
  try {
    copyInto(folder, ["src", "test", "scripts", "clients", "docs", "package.json", "tsconfig.json", "vitest.config.ts"])
    carryOut(folder, first)
    const named = filesIn(faultsIn(folder)).join(", ")
    const expected = namedIn(section).toSorted().join(", ")
    carryOut(folder, rest)
    const left = faultsIn(folder)
    if (named !== expected || left !== "") process.exitCode = 1
    console.log(`${section}: ${named === expected ? "as written" : `named are ${named}, written is ${expected}`}`)
    if (left !== "") console.log(left)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
