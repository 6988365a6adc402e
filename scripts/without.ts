// Shows that the service stands without an extension, and without all: `npm run without -- all`, `npm run without -- NAME`.
// In a copy it deletes the folders of the extension and of those that stand on it, and their lines in the lists, as
// anyone who leaves one out would; then it checks the types, builds, runs the tests of the service, starts it, and makes
// a forecast. Prints what it left out and how long it took. Exits with status 1 if anything fails.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, posix } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { sample } from "../test/support/Samples.ts"
import { coreWords, staleWords } from "./without/coreWords.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const [name = ""] = process.argv.slice(2)
const extensions = readdirSync(join(root, "src/extensions"))
if (name !== "all" && !extensions.includes(name)) {
  console.error(`Name one of all, ${extensions.join(", ")}: npm run without -- all`)
  process.exit(1)
}

/** The tests that the service passes without any extension, in the order of its sections. */
const coreTests = [
  "test/OneForecast.test.ts",
  "test/Swaps.test.ts",
  "test/metering/Idempotency.test.ts",
  "test/keys/AccessRequests.test.ts",
  "test/keys/AccessEndpoints.test.ts",
  "test/credits/Credits.test.ts",
  "test/orders/Orders.test.ts",
  "test/Simulation.test.ts",
  "test/Canary.test.ts"
]

const copy = mkdtempSync(join(tmpdir(), "outreach-forecast-without-"))
process.on("exit", () => rmSync(copy, { recursive: true, force: true }))
const inCopy = (path: string) => join(copy, path)

/** Files of the copy below these folders, by their paths. */
const filesIn = (...folders: ReadonlyArray<string>) =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,mjs}`, { cwd: copy }))
    .map((file) => file.replaceAll("\\", "/"))

const read = (file: string) => readFileSync(inCopy(file), "utf8")

/** The files that a file names by relative paths, whether they exist or not. */
const namedBy = (file: string) =>
  [...read(file).matchAll(/["'`](\.{1,2}\/[^"'`\n$]*\.(?:ts|mjs))["'`]/g)].map(([, path = ""]) =>
    posix.join(posix.dirname(file), path)
  )

const folders = ["src", "scripts", "test"].map((part) => `${part}/extensions`)
const lists = ["src/extensions.ts", "scripts/extensions.ts"]

/** The extensions that stand on these, with these. */
const standingOn = (names: ReadonlySet<string>): ReadonlySet<string> => {
  const more = extensions.filter(
    (other) =>
      !names.has(other) &&
      filesIn(`src/extensions/${other}`).some((file) =>
        namedBy(file).some((named) => [...names].some((each) => named.startsWith(`src/extensions/${each}/`)))
      )
  )
  return more.length === 0 ? names : standingOn(new Set([...names, ...more]))
}

/** Deletes the lines of a list that import from these extensions, and what they import. Returns the number of lines. */
const shorten = (list: string, names: ReadonlySet<string>): number => {
  if (!existsSync(inCopy(list))) return 0
  const text = read(list)
  const gone = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from "\.\/extensions\/([^/"]+)\/[^"]*"\n/gm)].filter(
    ([, , extension = ""]) => names.has(extension)
  )
  const imported = new Set(gone.flatMap(([, words = ""]) => words.split(",").map((word) => word.trim())))
  const kept = gone
    .reduce((rest, [line]) => rest.replace(line, ""), text)
    .split("\n")
    .filter((line) => !imported.has(/^ {2}(?:\.\.\.)?(\w+),?$/.exec(line)?.[1] ?? ""))
    .map((line) =>
      line
        .replace(/^(export const \w+ = )(\w+)$/, (all, start: string, word: string) =>
          imported.has(word) ? `${start}{}` : all
        )
        .replaceAll(/(\[|, )(\w+)(?=[,\]])/g, (all, before: string, word: string) =>
          imported.has(word) ? (before === "[" ? "[" : "") : all
        )
        .replace("[, ", "[")
    )
  writeFileSync(inCopy(list), kept.join("\n"))
  return gone.length + imported.size
}

/** Deletes tests and scripts that need a file which is gone, and those that need these. */
const deleteOrphans = (): ReadonlyArray<string> => {
  const orphans = filesIn("test", "scripts").filter((file) =>
    namedBy(file).some((named) => /^(?:src|test|scripts)\//.test(named) && !existsSync(inCopy(named)))
  )
  for (const file of orphans) rmSync(inCopy(file))
  return orphans.length === 0 ? [] : [...orphans, ...deleteOrphans()]
}

const step = (what: string, command: string, ...words: ReadonlyArray<string>) => {
  const begun = performance.now()
  const { status } = spawnSync(command, words, { cwd: copy, stdio: ["ignore", "inherit", "inherit"] })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${status === 0 ? "ok" : "FAILED"}  ${what} (${seconds} s)`)
  if (status !== 0) process.exit(1)
}

const fail = (message: string): never => {
  console.error(`FAILED  ${message}`)
  process.exit(1)
}

/** The address on which a started service listens. */
const listeningAt = async (service: ChildProcess): Promise<string> => {
  if (service.stderr === null) return fail("the service has no log")
  for await (const line of createInterface(service.stderr)) {
    const url = /"url":"([^"]+)"|url=(\S+)/.exec(line)
    if (url !== null) return url[1] ?? url[2] ?? ""
  }
  return fail("the service did not start")
}

/** The paths of the document that a service of a folder writes, and the paths by which it knows extensions' operations. */
const documentOf = (folder: string): Readonly<Record<string, unknown>> => {
  const program = `import { OpenApi } from "effect/http-api"; import { documentedAt } from ${JSON.stringify(join(folder, "src/Api.ts"))}; console.log(JSON.stringify(OpenApi.fromApi(documentedAt("")).paths))`
  const file = join(folder, "src", ".document.ts")
  writeFileSync(file, program)
  try {
    // The service's own answer: nothing else is read from it.
    // oxlint-disable-next-line typescript/no-unsafe-return -- compared below as JSON
    return JSON.parse(execFileSync("node", [file], { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }))
  } finally {
    rmSync(file)
  }
}

// The copy: what git tracks, as it is in the working tree, with the packages linked.
for (const file of execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0")) {
  if (file !== "" && existsSync(join(root, file))) cpSync(join(root, file), inCopy(file), { recursive: true })
}
symlinkSync(join(root, "node_modules"), inCopy("node_modules"))

const names = name === "all" ? new Set(extensions) : standingOn(new Set([name]))
const tracked = filesIn("src").length
for (const folder of folders) {
  for (const each of names) rmSync(inCopy(`${folder}/${each}`), { recursive: true, force: true })
  if (name === "all") rmSync(inCopy(folder), { recursive: true, force: true })
}
const edits = lists.reduce((sum, list) => sum + shorten(list, names), 0)
const orphans = deleteOrphans()
console.log(`without ${[...names].join(", ")}: ${edits} lines of the lists, 0 edits elsewhere`)
console.log(`${tracked - filesIn("src").length} of ${tracked} files of src are left out`)
console.log(
  `${orphans.filter((file) => file.startsWith("test/")).length} tests and ${orphans.filter((file) => file.startsWith("scripts/")).length} scripts outside of extensions need them`
)

step("types", "npx", "tsc")
step("rooms", "node", "scripts/rooms.ts")
step("build", "node", "scripts/build.mjs")
step(
  "tests of the service",
  "npx",
  "vitest",
  "run",
  "--reporter=dot",
  ...coreTests.filter((file) => existsSync(inCopy(file)))
)
const left = coreTests.filter((file) => !existsSync(inCopy(file)))
if (left.length > 0) fail(`the tests of the service need extensions: ${left.join(", ")}`)

const whole = documentOf(root)
for (const [path, item] of Object.entries(documentOf(copy))) {
  if (JSON.stringify(item) !== JSON.stringify(whole[path])) fail(`the document has another ${path}`)
}
console.log("ok  the document has the service's own paths as they are in the whole")

const service = spawn("node", ["dist/main.js", "serve"], {
  cwd: copy,
  env: {
    ...process.env,
    PORT: "0",
    APP_ENV: "test",
    DATABASE_URL: `sqlite:${inCopy("data/forecast.db")}`,
    LOG_LEVEL: "info"
  },
  stdio: ["ignore", "ignore", "pipe"]
})
const url = await listeningAt(service)
const send = (path: string) =>
  fetch(url + path, {
    method: "POST",
    headers: { "x-api-key": "demo", "content-type": "application/json" },
    body: JSON.stringify(sample)
  })
const forecast = await send("/api/v1/forecast")
const body = await forecast.text()
if (forecast.status !== 200 || !body.includes('"estimated_clients":3.75'))
  fail(`a forecast answers ${forecast.status}: ${body}`)
console.log("ok  a forecast: 200, 3.75 clients")
for (const [extension, path] of [
  ["goals", "/api/v1/goals"],
  ["lists", "/api/v1/forecasts"],
  ["progress", "/api/v1/progress"]
]) {
  const { status } = await send(path ?? "")
  const isGone = names.has(extension ?? "")
  if (isGone !== (status === 404)) fail(`${path} answers ${status}`)
  if (isGone) console.log(`ok  ${path}: 404`)
}
service.kill("SIGTERM")
await once(service, "exit")
if (service.exitCode !== 0) fail(`the service exits with status ${service.exitCode}`)
console.log("ok  the service exits with status 0")

if (name === "all") {
  const sources = new Map(filesIn("src").map((file) => [file, read(file)]))
  const faults = [...coreWords(sources), ...staleWords(sources)]
  for (const fault of faults) console.error(`FAILED  ${fault}`)
  if (faults.length > 0) process.exit(1)
  console.log("ok  the service names extensions only where the list says why")
}
