import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import type { Insertion } from "./recipes.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Copies files and folders of the repository into an empty folder, and links its packages. */
export const copyInto = (folder: string, names: ReadonlyArray<string>): void => {
  for (const name of names) {
    cpSync(`${root}${name}`, `${folder}/${name}`, {
      recursive: true,
      filter: (source) => !source.includes("node_modules")
    })
  }
  symlinkSync(`${root}node_modules`, `${folder}/node_modules`, "junction")
}

/** Makes the changes of a recipe in a copy of the repository. */
export const carryOut = (folder: string, insertions: ReadonlyArray<Insertion>): void => {
  for (const { before, behind = "", file, text } of insertions) {
    const path = `${folder}/${file}`
    const anchor = before ?? behind
    if (anchor === "") {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      continue
    }
    const [head, tail, ...others] = readFileSync(path, "utf8").split(anchor)
    if (tail === undefined || others.length > 0) throw new Error(`${file} must have this once: ${anchor}`)
    writeFileSync(path, `${head}${before === undefined ? anchor + text : text + anchor}${tail}`)
  }
}

/** The files that the compiler names after the first change of a recipe, as CONTRIBUTING.md says: none if it says so. */
export const namedIn = (section: string): ReadonlyArray<string> => {
  const [, text = ""] = readFileSync(`${root}CONTRIBUTING.md`, "utf8").split(`\n## ${section}\n`)
  const [own = ""] = text.split("\n## ")
  const line = own.split("\n").find((each) => each.includes("The compiler names "))
  if (line === undefined) throw new Error(`“${section}” in CONTRIBUTING.md must say what the compiler names`)
  return [...line.slice(line.indexOf("The compiler names ")).matchAll(/`((?:src|test)\/[^`]+\.ts)`/g)].map(
    ([, file = ""]) => file
  )
}
