import { globSync, readdirSync, readFileSync, statSync } from "node:fs"
import { posix } from "node:path"
import { Predicate } from "effect"
import { responses } from "./architecture.ts"
import { code, sizeNear } from "./Page.ts"

const src = new URL("../../src/", import.meta.url)

/** The sources of src, by their paths in it. */
const sources = new Map(
  globSync("**/*.ts", { cwd: src })
    .map((file) => file.replaceAll("\\", "/"))
    .map((file) => [file, readFileSync(new URL(file, src), "utf8")])
)

const linesOf = (text: string) => text.split("\n").length - 1

const written = readFileSync(new URL("../../README.md", import.meta.url), "utf8")

/** The file with the class of a name. */
const fileOf = (name: string): string => {
  const [found] = [...sources].find(([, text]) => text.includes(`class ${name} extends`)) ?? []
  if (found === undefined) throw new Error(`No file of src has the class ${name}`)
  return found
}

/** The services that the others stand on, and their stand-ins for tests. */
const services = {
  Forecaster: ["forecast computation: exact arithmetic in place, what takes milliseconds in threads", "layerPure"],
  Authenticator: ["key look-up: from the secret in `x-api-key` to the key that can be used", "layerMemory"],
  Credits: ["credit accounting: charges a key in the ledger, and knows balances and usage", "layerMemory"],
  Mailer: ["mail sending: delivers an email, or says why not; an outbox tries again", "layerMemory"]
}

const serviceTable = [
  ["service", "purpose", "file in `src/`", "lines", "for tests"],
  ...Object.entries(services).map(([name, [purpose = "", standIn = ""]]) => {
    const file = fileOf(name)
    const [, before] = new RegExp(`${code(file)} *\\| *([\\d,]+)`).exec(written) ?? []
    return [code(name), purpose, code(file), sizeNear(linesOf(sources.get(file) ?? ""), before, 20), code(standIn)]
  })
]

const failureTable = [
  ["a caller's failure", "its class", "its entry", "response"],
  ...["MissingKey", "PlanInactive", "UsageExhausted"].map((name) => {
    const [response = "", entry = ""] = responses.get(name) ?? []
    return [code(name), code(fileOf(name)), entry, response]
  })
]

const rooms: Readonly<Record<string, string>> = {
  campaign: "the fields of a campaign, in one table, and how they are decoded",
  cli: "what commands share: parameters, printing, failures",
  credits: "credit accounting: charges, grants, the ledger and its audit",
  database: "SQLite and Postgres: migrations, statements, transactions in batches, backups",
  extensions: "the calculator, goals, lists, agents, Stripe and all else that the core runs without, a folder each",
  forecast: "forecast computation: exact arithmetic, ranges and chances, risk flags, advice",
  health: "probes, and the operator's listener with metrics",
  http: "transport: the server, problem documents, the OpenAPI document",
  idempotency: "the responses that are kept for retried requests",
  input: "JSON, CSV and fields: decoded, with an error for each that is wrong",
  keys: "key look-up, requests for access, keys and their secrets, links that reveal them",
  mail: "mail sending: outbox, worker, SMTP",
  metering: "the endpoints of forecasts, usage and the ledger: each forecast is charged to a key",
  observability: "log, metrics, traces, background jobs",
  operation: "the commands `serve`, `config` and those for backups; the warm-up",
  orders: "credit packs: orders, payments, fulfilment",
  retention: "deletion of what has expired",
  settings: "the environment variables, and how each is checked",
  site: "what pages share: layout, forms, error pages, assets",
  text: "figures, times and HTML",
  workers: "the threads for long computations"
}

/** The folders of src, or of a folder in it. */
const foldersOf = (folder = "") =>
  readdirSync(new URL(folder, src)).filter((name) => statSync(new URL(`${folder}${name}`, src)).isDirectory())

/** The description of a folder; a folder without one, or one without a folder, is an error. */
const described = (folders: ReadonlyArray<string>, words: Readonly<Record<string, string>>) => {
  const unknown = Object.keys(words).find((name) => !folders.includes(name))
  if (unknown !== undefined) throw new Error(`scripts/docTables/code.ts describes ${unknown}, which is not in src`)
  return folders.map((name): readonly [string, string] => {
    const text = words[name]
    if (text === undefined) throw new Error(`Describe src/${name} in scripts/docTables/code.ts`)
    return [name, text]
  })
}

const roomTable = [
  ["room, a folder of `src/`", "what is in it"],
  ...described(foldersOf(), rooms).map(([name, text]) => [code(`${name}/`), text])
]

export const readme = [serviceTable, failureTable, roomTable]

const linesIn = (isCounted: (file: string) => boolean) =>
  [...sources].reduce((sum, [file, text]) => sum + (isCounted(file) ? linesOf(text) : 0), 0)

const isExtension = (file: string) => file.startsWith("extensions/")

/** The README with the sizes of the service and of its extensions. */
export const withSizes = (page: string): string => {
  const sizes = /([\d,]+) lines of TypeScript, and all its extensions ([\d,]+)/
  const [, core, others] = sizes.exec(page) ?? []
  if (core === undefined) throw new Error("README.md does not say how large the service is")
  const [ofCore, ofOthers] = [linesIn((file) => !isExtension(file)), linesIn(isExtension)]
  return page.replace(
    sizes,
    `${sizeNear(ofCore, core, 1000)} lines of TypeScript, and all its extensions ${sizeNear(ofOthers, others, 1000)}`
  )
}

/** The extensions that the files of one import. */
const extensionsUnder = (name: string): ReadonlyArray<string> => {
  const folder = `extensions/${name}/`
  const imported = [...sources]
    .filter(([file]) => file.startsWith(folder))
    .flatMap(([file, text]) =>
      [...text.matchAll(/ from "(\..+)"/g)].map(([, module = ""]) => posix.join(posix.dirname(file), module))
    )
    .flatMap((module) => /^extensions\/(\w+)\//.exec(module)?.[1] ?? [])
  return [...new Set(imported)].filter((other) => other !== name).toSorted()
}

/** An extension's own words for itself, and its members; one without `extension.ts` has code for the others. */
const extensionRow = async (name: string): Promise<ReadonlyArray<string>> => {
  const text = sources.get(`extensions/${name}/extension.ts`)
  if (text === undefined) return [code(name), "Code that other extensions share.", "", ""]
  const module: unknown = await import(new URL(`extensions/${name}/extension.ts`, src).href)
  const [extension] = Predicate.isObject(module) ? Object.values(module).filter(Predicate.isObject) : []
  const [, words = ""] = /\/\*\* (.+) \*\/\nexport const/.exec(text) ?? []
  if (words === "") throw new Error(`Give src/extensions/${name}/extension.ts a doc comment of one line`)
  const adds = Object.keys(extension ?? {}).map(code)
  return [code(name), words, adds.join(", "), extensionsUnder(name).map(code).join(", ")]
}

export const extensionTable = [
  ["extension", "what it is", "adds", "stands on"],
  ...(await Promise.all(foldersOf("extensions/").map(extensionRow)))
]
