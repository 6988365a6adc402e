import { posix } from "node:path"
import { Array as Arr, Predicate } from "effect"
import { parseSync, Visitor } from "rolldown/utils"

const handlers = ["**/*Http.ts", "**/*Api.ts", "**/*Pages.ts", "**/*Problems.ts"]

/** The files with SQL: stores, services that are their own store, and what deletes expired rows of all of them. */
const stores = [
  "**/*Store.ts",
  "**/*Sql.ts",
  "credits/Ledger.ts",
  "idempotency/IdempotentAnswers.ts",
  "keys/AuditLog.ts",
  "keys/CallCounts.ts",
  "keys/RevealLinks.ts",
  "extensions/account/Sessions.ts",
  "mail/Outbox.ts",
  "extensions/notices/Notices.ts",
  "extensions/operator/NearAddresses.ts",
  "extensions/operator/Copy.ts",
  "retention/Retention.ts",
  "database/**"
]

/** The imports of a client, to send requests. */
const sending = [
  "effect/http#{HttpClient*,FetchHttpClient}",
  "effect/http-api#HttpApiClient",
  "@effect/platform-node/NodeHttpClient{,#*}",
  "@effect/platform-node/Undici{,#*}",
  "node:http{,s}#{request,get,Agent,globalAgent,ClientRequest}",
  "globalThis#fetch"
]

/** The parts of messages that servers and clients have in common. */
const inMessages = [
  "effect/http#{Cookies,Headers,HttpBody,HttpIncomingMessage,HttpMethod,HttpStatus,HttpTraceContext,Mime,Url,UrlParams}"
]

/**
 * Imports that only some files may have, or that some files may never have. Files are given by their paths below src,
 * packages by their names, with `#NAME` behind them for what is imported of them, all as globs.
 */
const rules: ReadonlyArray<{
  readonly imports: ReadonlyArray<string>
  readonly except?: ReadonlyArray<string>
  readonly only?: ReadonlyArray<string>
  readonly never?: ReadonlyArray<string>
  readonly why: string
}> = [
  {
    imports: ["effect/http*", "@effect/platform-node/NodeHttp*", "node:http*"],
    except: [...sending, ...inMessages],
    only: [...handlers, "http/**", "site/layout.ts", "Extension.ts"],
    why: "only *Http.ts, *Api.ts, *Pages.ts and *Problems.ts serve HTTP"
  },
  {
    imports: sending,
    never: [...handlers, "http/**"],
    why: "a handler calls services; one of them calls other servers"
  },
  {
    imports: ["effect/sql*", "@effect/sql-*{,/*}"],
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
    only: ["**/*Command.ts", "CommandLine.ts", "Extension.ts", "cli/**"],
    why: "only *Command.ts knows the command line"
  },
  {
    imports: [
      "keys/**",
      "credits/**",
      "http/**",
      "effect/http*",
      "@effect/platform-node/NodeHttp*",
      "node:http*",
      ...sending
    ],
    never: ["forecast/**", "campaign/**"],
    why: "a forecast knows neither keys, nor credits, nor HTTP"
  },
  {
    imports: ["extensions/**"],
    only: ["extensions/**", "extensions.ts"],
    why: "the service stands alone: only extensions.ts names its extensions"
  },
  {
    imports: ["extensions.ts"],
    never: ["extensions/**"],
    why: "an extension does not know the list"
  },
  {
    imports: ["@effect/platform-node{,#*}"],
    only: [],
    why: "the whole package loads Redis and more: import the submodule"
  }
]

/** The name of a value that has one. */
const nameOf = (value: unknown): string | undefined =>
  Predicate.hasProperty(value, "name") && Predicate.isString(value.name) ? value.name : undefined

/** The names that an import or export takes of its module; a module as a whole is undefined. */
const namesOf = ({ qualifier, specifiers }: { readonly qualifier?: unknown; readonly specifiers?: unknown }) =>
  Array.isArray(specifiers) && specifiers.length > 0
    ? specifiers.map(({ imported, local, type }: { readonly [part in "imported" | "local" | "type"]?: unknown }) =>
        nameOf(type === "ExportSpecifier" ? local : imported)
      )
    : [nameOf(Predicate.hasProperty(qualifier, "left") ? qualifier.left : qualifier)]

/**
 * The modules that a file imports or re-exports, including dynamic imports and imports of types: each with `#NAME` for
 * every name, and without one if it is imported as a whole. The submodules of Effect are names of the module above.
 */
const importsOf = (file: string, source: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const add = (node: { readonly source: unknown; readonly specifiers?: unknown; readonly qualifier?: unknown }) => {
    if (!Predicate.hasProperty(node.source, "value")) return
    const module = String(node.source.value)
    const [, parent = module, submodule] = /^(effect\/[^/]+)\/([^/]+)/.exec(module) ?? []
    for (const name of submodule === undefined ? namesOf(node) : [submodule]) {
      found.push(name === undefined || module.startsWith(".") ? parent : `${parent}#${name}`)
    }
  }
  const { errors, program } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  // A path in a string, such as that of a file that is read, counts as an import of it.
  const addPath = (text: string) => {
    const path = /^(?:\.{0,2}\/)?(?:.*\/)?(extensions\/.*)$/.exec(text)?.[1]
    if (path !== undefined && !text.includes(" ")) found.push(path)
  }
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
    CallExpression: ({ callee }) => (nameOf(callee) === "fetch" ? found.push("globalThis#fetch") : undefined),
    Literal: ({ value }) => (typeof value === "string" ? addPath(value) : undefined),
    TemplateElement: ({ value }) => addPath(value.raw)
  }).visit(program)
  return found
}

/** The words for an import in a fault. */
const said = (module: string) => module.split("#").toReversed().join(" from ")

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

const beginning = (path: ReadonlyArray<string>, length: number) => path.slice(0, length).join("/")

type Edges = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * For src and each folder below it, the imports between its entries, which are folders or files, and an example of a
 * file's import for each.
 */
const importsBetweenEntries = (imports: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyMap<string, Edges> => {
  const folders = new Map<string, Map<string, Map<string, string>>>()
  for (const [file, modules] of imports) {
    for (const module of modules.filter((each) => imports.has(each) && each !== file)) {
      const [from, to] = [file.split("/"), module.split("/")]
      const depth = from.findIndex((name, i) => name !== to[i])
      const [folder, source, target] = [beginning(from, depth), beginning(from, depth + 1), beginning(to, depth + 1)]
      const edges = folders.get(folder) ?? new Map<string, Map<string, string>>()
      const targets = edges.get(source) ?? new Map<string, string>()
      folders.set(folder, edges.set(source, targets.set(target, `${file} imports ${module}`)))
    }
  }
  return folders
}

const examplesOf = (edges: Edges, cycle: ReadonlyArray<string>) =>
  cycle
    .slice(1)
    .map((to, i) => edges.get(cycle[i] ?? "")?.get(to))
    .join(", ")

const targetsOf = (edges: Edges) => new Map([...edges].map(([entry, targets]) => [entry, [...targets.keys()]]))

/** The imports between folders, directly or through files next to them, with an example for each. */
const importsBetweenFolders = (edges: Edges, isFile: (entry: string) => boolean): Edges => {
  const reached = (from: string): ReadonlyMap<string, string> => {
    const found = new Map<string, string>()
    const files = new Set<string>()
    const visit = (entry: string, path: ReadonlyArray<string>) => {
      for (const [to, example] of edges.get(entry) ?? []) {
        if (!isFile(to) && to !== from && !found.has(to)) found.set(to, [...path, example].join(", "))
        if (!isFile(to) || files.has(to)) continue
        files.add(to)
        visit(to, [...path, example])
      }
    }
    visit(from, [])
    return found
  }
  return new Map([...edges.keys()].filter((entry) => !isFile(entry)).map((entry) => [entry, reached(entry)]))
}

/**
 * The cycles of rooms, which are the folders of src and the files next to them, and the cycles of folders inside a
 * room: the files next to its folders may stand both above and below one of them.
 */
const cyclesOfFolders = (imports: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> =>
  [...importsBetweenEntries(imports)].flatMap(([folder, entries]) => {
    const edges = folder === "" ? entries : importsBetweenFolders(entries, (entry) => imports.has(entry))
    return cyclesIn(targetsOf(edges))
      .filter((cycle) => !cycle.every((entry) => imports.has(entry)))
      .map(
        (cycle) =>
          `${cycle.join(" → ")} is a cycle of ${folder === "" ? "rooms" : "folders"}: ${examplesOf(edges, cycle)}`
      )
  })

/** The faults in the imports of sources, a sentence each. The sources are given by their paths below src. */
export const faultsIn = (sources: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const imports = new Map(
    [...sources].map(([file, source]) => [
      file,
      Arr.dedupe(
        importsOf(file, source).map((module) =>
          module.startsWith(".") ? posix.join(posix.dirname(file), module) : module
        )
      )
    ])
  )
  const broken = [...imports].flatMap(([file, modules]) =>
    rules
      .filter(({ never, only = [] }) => (never === undefined ? !matches(file, only) : matches(file, never)))
      .flatMap(({ except = [], imports, why }) =>
        modules
          .filter((module) => matches(module, imports) && !matches(module, except))
          .map((module) => `${file} imports ${said(module)}: ${why}`)
      )
  )
  const cycles = cyclesIn(imports).map((cycle) => `${cycle.join(" → ")} is a cycle of files`)
  return [...broken, ...cycles, ...cyclesOfFolders(imports)]
}
