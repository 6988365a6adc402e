import { posix } from "node:path"
import { parseSync, Visitor } from "rolldown/utils"
import type * as Table from "./table.ts"

/** An import of a module, in a line of a file; `isType` if nothing of it is left at run time. */
interface Import {
  readonly module: string
  readonly line: number
  readonly isType: boolean
}

/** The imports and re-exports of a file, with those that load a module later and those of types. */
const importsOf = (file: string, source: string): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  const add = (module: { readonly value: unknown } | null, start: number, isType: boolean) => {
    if (typeof module?.value !== "string") return
    found.push({ module: module.value, line: source.slice(0, start).split("\n").length, isType })
  }
  const { errors, program } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  new Visitor({
    ImportDeclaration: ({ importKind, source, specifiers, start }) =>
      add(
        source,
        start,
        importKind === "type" ||
          (specifiers.length > 0 &&
            specifiers.every((specifier) => "importKind" in specifier && specifier.importKind === "type"))
      ),
    ExportNamedDeclaration: ({ exportKind, source, start }) => add(source, start, exportKind === "type"),
    ExportAllDeclaration: ({ exportKind, source, start }) => add(source, start, exportKind === "type"),
    ImportExpression: ({ source, start }) => add("value" in source ? source : null, start, false),
    TSImportType: ({ source, start }) => add(source, start, true)
  }).visit(program)
  return found
}

const matches = (pattern: string, text: string) =>
  new RegExp(
    `^${pattern
      .split("*")
      .map((part) => RegExp.escape(part))
      .join(".*")}$`
  ).test(text)

/** Whether a file is one of `paths`, or in one of them, or has such a name. */
const isIn = (file: string, paths: ReadonlyArray<string>) =>
  paths.some((path) => file === path || file.startsWith(`${path}/`) || (path.includes("*") && matches(path, file)))

/** The circles among files that import each other; each is found once. */
const circlesOf = (files: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  const circles: Array<ReadonlyArray<string>> = []
  const done = new Set<string>()
  const visit = (file: string, path: ReadonlyArray<string>) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file])
    if (path.includes(file) || done.has(file)) return
    for (const next of files.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of files.keys()) visit(file, [])
  return circles
}

/** What in the sources, by their paths below src, goes against the table; a sentence for each. */
export const faultsIn = (
  sources: ReadonlyMap<string, string>,
  { arrows, closed, packages }: Pick<typeof Table, "arrows" | "closed" | "packages">
): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const own = new Map<string, ReadonlyArray<string>>()
  const rowOf = (file: string) =>
    Object.keys(arrows)
      .filter((row) => isIn(file, [row]))
      .toSorted((a, b) => b.length - a.length)[0]
  const ruleOf = (module: string) =>
    packages
      .flatMap((rule) => rule.modules.map((pattern) => ({ ...rule, pattern })))
      .filter(({ pattern }) => matches(pattern, module))
      .toSorted((a, b) => b.pattern.length - a.pattern.length)[0]

  for (const [file, source] of sources) {
    const row = rowOf(file)
    if (row === undefined) {
      faults.push(`src/${file} is in no room: add a row for it`)
      continue
    }
    const targets: Array<string> = []
    for (const { isType, line, module } of importsOf(file, source)) {
      const at = `src/${file}:${line} imports ${module}`
      if (module.startsWith(".")) {
        const target = posix.join(posix.dirname(file), module)
        targets.push(target)
        const to = rowOf(target) ?? target
        const isOwn = row === to
        if (!isOwn && !isIn(target, arrows[row] ?? [])) faults.push(`${at}: there is no arrow ${row} → ${to}`)
        const shut = closed.find(
          ({ allowsTypes, except = [], files, to }) =>
            isIn(target, files) &&
            !isOwn &&
            !(allowsTypes && isType) &&
            !except.includes(row) &&
            (to === undefined || isIn(file, to))
        )
        if (shut !== undefined) faults.push(`${at}: ${shut.why}`)
      } else {
        const rule = ruleOf(module)
        if (rule === undefined) faults.push(`${at}: the package is in no row of the table`)
        else if (!isIn(file, rule.by)) {
          faults.push(`${at}: there is no arrow ${row} → ${rule.pattern} (${rule.why})`)
        }
      }
    }
    own.set(file, targets)
  }
  for (const circle of circlesOf(own)) faults.push(`${circle.map((file) => `src/${file}`).join(" → ")} is a circle`)
  return faults
}
