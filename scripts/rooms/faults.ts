import { posix } from "node:path"
import { parseSync, Visitor } from "rolldown/utils"

const handlers = ["**/*Http.ts", "**/*Api.ts", "**/*Pages.ts", "**/*Problems.ts"]

/** The files with SQL: stores, and what deletes expired rows of all of them. */
const stores = [
  "**/*Store.ts",
  "**/*Sql.ts",
  "credits/Ledger.ts",
  "idempotency/IdempotentAnswers.ts",
  "keys/AuditLog.ts",
  "keys/CallCounts.ts",
  "keys/RevealLinks.ts",
  "mail/Outbox.ts",
  "privacy/Retention.ts",
  "database/**"
]

/**
 * Imports that only some files may have, or that some files may never have. Files are given by their paths below src,
 * packages by their names, both as globs.
 */
const rules: ReadonlyArray<{
  readonly imports: ReadonlyArray<string>
  readonly only?: ReadonlyArray<string>
  readonly never?: ReadonlyArray<string>
  readonly why: string
}> = [
  {
    imports: ["effect/http*", "@effect/platform-node/NodeHttp*", "node:http"],
    only: [...handlers, "http/**", "site/layout.ts", "mcp/AnswerRequest.ts", "observability/Telemetry.ts"],
    why: "only *Http.ts, *Api.ts, *Pages.ts and *Problems.ts know HTTP"
  },
  {
    imports: ["effect/sql*", "@effect/sql-*"],
    only: stores,
    why: "only stores know SQL"
  },
  {
    imports: ["**/*Sql.ts"],
    only: [...stores, "Application.ts"],
    why: "*Sql.ts is part of a store"
  },
  {
    imports: ["**/*Store.ts", "credits/Ledger.ts", "mail/Outbox.ts"],
    never: [...handlers, "**/*Command.ts"],
    why: "handlers and commands call services, not stores"
  },
  {
    imports: ["effect/cli*"],
    only: ["**/*Command.ts", "CommandLine.ts", "cli/**"],
    why: "only *Command.ts knows the command line"
  },
  {
    imports: ["keys/**", "credits/**", "http/**"],
    never: ["forecast/**", "campaign/**"],
    why: "a forecast knows neither keys, nor credits, nor HTTP"
  },
  {
    imports: ["@effect/platform-node"],
    only: [],
    why: "the whole package loads Redis and more: import the submodule"
  }
]

/** The modules that a file imports or re-exports, including dynamic imports and imports of types. */
const modulesOf = (file: string, source: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const add = ({ source }: { readonly source: unknown }) => {
    if (typeof source === "object" && source !== null && "value" in source) found.push(String(source.value))
  }
  const { errors, program } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add
  }).visit(program)
  return found
}

const matches = (text: string, patterns: ReadonlyArray<string>) =>
  patterns.some((pattern) => posix.matchesGlob(text, pattern))

/** The cycles of a directed graph, each found once. */
const cyclesIn = (edges: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  const cycles: Array<ReadonlyArray<string>> = []
  const done = new Set<string>()
  const visit = (name: string, path: ReadonlyArray<string>) => {
    if (path.includes(name)) cycles.push([...path.slice(path.indexOf(name)), name])
    if (path.includes(name) || done.has(name)) return
    for (const next of edges.get(name) ?? []) visit(next, [...path, name])
    done.add(name)
  }
  for (const name of edges.keys()) visit(name, [])
  return cycles
}

/** Each folder of src is a room, and so is each file next to the folders. */
const roomOf = (file: string) => file.replace(/\/.*/, "")

/** The cycles of rooms, with an example of an import for each of their edges. */
const cyclesOfRooms = (imports: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> => {
  const edges = new Map<string, Map<string, string>>()
  for (const [file, modules] of imports) {
    for (const module of modules.filter((each) => imports.has(each))) {
      const [from, to] = [roomOf(file), roomOf(module)]
      if (from === to) continue
      const leaving = edges.get(from) ?? new Map<string, string>()
      edges.set(from, leaving.set(to, `${file} imports ${module}`))
    }
  }
  const rooms = new Map([...edges].map(([room, leaving]) => [room, [...leaving.keys()]]))
  return cyclesIn(rooms).map((cycle) => {
    const examples = cycle.slice(1).map((to, i) => edges.get(cycle[i] ?? "")?.get(to))
    return `${cycle.join(" → ")} is a cycle of rooms: ${examples.join(", ")}`
  })
}

/** The faults in the imports of sources, a sentence each. The sources are given by their paths below src. */
export const faultsIn = (sources: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const imports = new Map(
    [...sources].map(([file, source]) => [
      file,
      modulesOf(file, source).map((module) =>
        module.startsWith(".") ? posix.join(posix.dirname(file), module) : module
      )
    ])
  )
  const broken = [...imports].flatMap(([file, modules]) =>
    rules
      .filter(({ never, only = [] }) => (never === undefined ? !matches(file, only) : matches(file, never)))
      .flatMap(({ imports, why }) =>
        modules.filter((module) => matches(module, imports)).map((module) => `${file} imports ${module}: ${why}`)
      )
  )
  const cycles = cyclesIn(imports).map((cycle) => `${cycle.join(" → ")} is a cycle of files`)
  return [...broken, ...cycles, ...cyclesOfRooms(imports)]
}
