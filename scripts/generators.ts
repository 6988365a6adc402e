// Generates clients in Go, Java, C#, Python and TypeScript from the OpenAPI document, with the generators that developers
// use, and compiles them where this machine has the compiler. Exits with status 1 if one fails. A generator whose tool is
// missing is skipped, but not in CI (`CI` set), where every tool but that of C# is required. Arguments choose generators
// by name: npm run generators -- go java
import { mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { documentedAt } from "../src/Api.ts"
import { temporaryDirectory } from "../test/support/Application.ts"
import { end, startCommand } from "../test/support/Process.ts"

/** The versions of the generators; those of openapi-typescript and openapi-python-client are tested with the clients. */
const openApiGenerator = "org.openapitools:openapi-generator-cli:7.14.0"
const oapiCodegen = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
const mavenPlugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"

type Command = readonly [program: string, ...args: ReadonlyArray<string>]

/** The commands that generate a client into a folder and compile it. */
interface Generator {
  readonly generate: ReadonlyArray<Command>
  readonly compile: ReadonlyArray<Command>
}

const jar = "../openapi-generator-cli-7.14.0.jar"
const document = "../openapi.json"

/** A generator of openapi-generator, which leaves out the classes of forms unless it is told not to. */
const openApi = (name: string, options: ReadonlyArray<string>, compile: ReadonlyArray<Command>): Generator => {
  const args = ["generate", "-i", document, "-g", name, "-o", ".", "--global-property", "skipFormModel=false"]
  return { generate: [["java", "-jar", jar, ...args, ...options]], compile }
}

const tsc = fileURLToPath(new URL("../node_modules/.bin/tsc", import.meta.url))

const generators: Readonly<Record<string, Generator>> = {
  go: openApi(
    "go",
    ["--additional-properties=withGoMod=true"],
    [
      ["go", "mod", "tidy"],
      ["go", "build", "./..."]
    ]
  ),
  "oapi-codegen": {
    generate: [
      ["go", "mod", "init", "example.com/forecast"],
      ["go", "run", oapiCodegen, "-generate", "types,client", "-package", "forecast", "-o", "forecast.go", document]
    ],
    compile: [
      ["go", "mod", "tidy"],
      ["go", "build", "./..."]
    ]
  },
  java: openApi("java", ["--library", "native"], [["mvn", "-q", "-B", "-DskipTests", "compile"]]),
  csharp: openApi("csharp", [], [["dotnet", "build"]]),
  python: openApi("python", [], [["python3", "-m", "compileall", "-q", "."]]),
  typescript: openApi(
    "typescript-fetch",
    [],
    [
      [
        tsc,
        "--noEmit",
        "--strict",
        "--target",
        "es2022",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
        "index.ts"
      ]
    ]
  )
}

/** Tools that CI may lack. */
const optional = new Set(["dotnet"])

const succeeds = Effect.fnUntraced(function* (folder: string, [program, ...args]: Command) {
  const running = yield* startCommand(program, args, folder, process.env)
  const { code, stderr, stdout } = yield* end(running)
  if (code !== 0) console.error(`${[program, ...args].join(" ")}\n${stdout}${stderr}`)
  return code === 0
}, Effect.scoped)

/** The missing tool of commands, if any. */
const missing = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>) {
  for (const [program] of commands) {
    const { code } = yield* Effect.scoped(
      Effect.flatMap(startCommand("sh", ["-c", `command -v ${program}`], ".", process.env), end)
    )
    if (code !== 0) return program
  }
  return undefined
})

/** Runs commands until one fails. Returns the result in a word, or the tool that is missing. */
const attempt = Effect.fnUntraced(function* (folder: string, commands: ReadonlyArray<Command>, done: string) {
  const tool = yield* missing(commands)
  if (tool !== undefined) {
    const isExpected = optional.has(tool) || (process.env["CI"] ?? "") === ""
    return { isRight: isExpected, isDone: false, word: `not ${done}: ${tool} is missing` }
  }
  for (const command of commands)
    if (!(yield* succeeds(folder, command))) return { isRight: false, isDone: false, word: `not ${done}: it failed` }
  return { isRight: true, isDone: true, word: done }
})

const main = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  writeFileSync(`${directory}/openapi.json`, JSON.stringify(OpenApi.fromApi(documentedAt("https://forecast.example"))))
  const chosen = process.argv.slice(2)
  const unknown = chosen.find((name) => !(name in generators))
  if (unknown !== undefined)
    return yield* Effect.die(`There is no generator ${unknown}: ${Object.keys(generators).join(", ")}`)
  yield* attempt(
    directory,
    [["mvn", "-q", "-B", `${mavenPlugin}:copy`, `-Dartifact=${openApiGenerator}`, "-DoutputDirectory=."]],
    "fetched"
  )
  for (const [name, { compile, generate }] of Object.entries(generators)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const folder = `${directory}/${name}`
    mkdirSync(folder)
    const generated = yield* attempt(folder, generate, "generated")
    const compiled = generated.isDone ? yield* attempt(folder, compile, "compiled") : undefined
    console.log([name.padEnd(14), generated.word, ...(compiled === undefined ? [] : [compiled.word])].join(", "))
    if (!generated.isRight || compiled?.isRight === false) process.exitCode = 1
  }
}).pipe(Effect.scoped)

NodeRuntime.runMain(main)
