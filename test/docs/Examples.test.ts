import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { asServed, guideNames } from "../../src/extensions/guide/Guide.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { installedDirectory, temporaryDirectory } from "../support/Application.ts"
import { type ExamplePage, type Language, readExamples } from "../support/Examples.ts"
import { baseUrl, httpApplication } from "../support/Http.ts"
import { openApiExamples } from "../support/OpenApiExamples.ts"
import { isOutput } from "../support/Outputs.ts"
import { pythonObstacle } from "../support/Python.ts"
import {
  checkPythonTypes,
  checkTypes,
  hasCurl,
  runCommands,
  runCurl,
  runPython,
  type Runner,
  runTypeScript,
  writeModules
} from "../support/Runners.ts"
import { slowly } from "../support/slowly.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const pages = [
  ...[
    "README.md",
    ...guideNames.map((name) => `docs/${name}.md`),
    "clients/python/README.md",
    "clients/typescript/README.md"
  ].map((file) => readExamples(file, readFileSync(`${root}${file}`, "utf8"))),
  openApiExamples()
]

/** The address of the service of the examples. */
const usualBase = "http://127.0.0.1:3000"

/** True if this machine has no program for a language. */
const cannotRun = (language: Language) =>
  (language === "Python" && pythonObstacle !== undefined) || (language === "curl" && !hasCurl)

const runners: ReadonlyArray<readonly [Language, Runner]> = [
  ["curl", runCurl],
  ["command", runCommands],
  ["Python", runPython],
  ["TypeScript", runTypeScript]
]

// Each service also listens for the end of standard input, and there are more listeners than Node's warning limit.
process.stdin.setMaxListeners(0)

/** A service that was just started, with its demo key: its address, and a key of its own. */
const service = Effect.fnUntraced(function* (demoKey: string, scope: Scope.Scope) {
  const build = Layer.build(httpApplication({ env: { DEMO_KEY: demoKey } }))
  const context = yield* Effect.provideService(build, Scope.Scope, yield* Scope.fork(scope))
  const apiKeys = Context.get(context, ApiKeys)
  yield* apiKeys.prepareDemoKey
  const { secret } = yield* apiKeys.issue({ name: "Ada", email: "ada@example.com", company: "Example" }, undefined)
  return { base: yield* Effect.provide(baseUrl, context), key: Redacted.value(secret) }
})

/** Commands work on the database of their folder. */
const noService = { base: usualBase, key: "" }

const counts = new Map<Language, number>()
afterAll(() => {
  const text = [...counts].map(([language, count]) => `${count} ${language}`).join(", ")
  process.stdout.write(`Examples run, and their outputs compared: ${text}\n`)
  if (pythonObstacle !== undefined) process.stderr.write(`\nNo Python example was run: ${pythonObstacle}.\n\n`)
})

const of = (language: Language, { examples }: ExamplePage) =>
  examples.filter((example) => example.language === language)

describe("examples", slowly, () => {
  for (const [language, runExamples] of runners) {
    const chosen = pages.filter((page) => of(language, page).length > 0)
    const test = cannotRun(language) ? it.live.skip : it.live
    test(`in ${language} print what their pages show: ${chosen.map(({ name }) => name).join(", ")}`, () =>
      Effect.gen(function* () {
        // A service for each page, so that the outputs are those that a reader who follows the page in this language
        // gets. Closed together: each waits for a while for more requests.
        const services = yield* Effect.acquireRelease(Scope.make("parallel"), (scope) => Scope.close(scope, Exit.void))
        const given = yield* Effect.forEach(
          chosen,
          Effect.fnUntraced(function* (page) {
            const { base, key } = language === "command" ? noService : yield* service("demo", services)
            const codes = of(language, page).map(({ code }) => code.replaceAll(usualBase, base))
            const directory = yield* language === "command" ? installedDirectory : temporaryDirectory
            return { page: page.name, codes, directory, isolated: page.isIsolated, key, base }
          })
        )
        const outputs = yield* runExamples(given)
        for (const [i, page] of chosen.entries()) {
          for (const [j, { shown, where }] of of(language, page).entries()) {
            const output = outputs[i]?.[j] ?? assert.fail(`${where} did not end`)
            if (shown !== undefined) {
              assert.isTrue(
                isOutput(shown, output, given[i]?.base ?? ""),
                `${where} does not print what it shows:\n${output}`
              )
            } else if (language !== "command") {
              assert.strictEqual(output, "", `${where} prints what the page does not show`)
            }
            counts.set(language, (counts.get(language) ?? 0) + 1)
          }
        }
      }))
  }

  for (const [language, runExamples] of runners) {
    if (language === "command" || cannotRun(language)) continue
    it.live(`of the guide in ${language} work with a key in SERVICE_API_KEY if there is no demo key`, () =>
      Effect.gen(function* () {
        const { base: publicUrl, key } = yield* service("another", yield* Effect.scope)
        const chosen = pages.filter((page) => page.name.startsWith("docs/") && of(language, page).length > 0)
        const given = yield* Effect.forEach(chosen, (page) =>
          Effect.map(temporaryDirectory, (directory) => ({
            page: page.name,
            codes: of(language, page).map(({ code }) => asServed(code, { hasDemoKey: false, baseUrl: publicUrl })),
            directory,
            isolated: false,
            key
          }))
        )
        const outputs = yield* runExamples(given)
        for (const [i, { codes, page }] of given.entries()) {
          assert.lengthOf(outputs[i] ?? [], codes.length, page)
          for (const output of outputs[i] ?? []) {
            assert.notMatch(output, /missing_key|invalid_key|cannot be reached|^\d{3} /, page)
          }
        }
      })
    )
  }

  it.live("in TypeScript have correct types", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const modules = pages.flatMap((page) => {
        const codes = of("TypeScript", page).map(({ code }) => code)
        return codes.length === 0
          ? []
          : writeModules({ page: page.name, codes, directory, isolated: page.isIsolated, key: "" })
      })
      assert.strictEqual(yield* checkTypes(directory, modules), "")
    })
  )

  it.live.skipIf(pythonObstacle !== undefined)("in Python type-check against the client", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      for (const [i, page] of pages.entries()) {
        const codes = of("Python", page).map(({ code }) => code)
        const modules = page.isIsolated ? codes : [codes.join("\n")]
        for (const [j, code] of modules.entries()) writeFileSync(`${directory}/page${i}_${j}.py`, code)
      }
      const report = yield* checkPythonTypes(directory)
      assert.match(report, /^0 errors, 0 warnings/m, report)
    })
  )
})

describe("a page", () => {
  it("must mark a block that is neither an example nor the output of one", () => {
    const page = (text: string) => readExamples("page", text)
    const example = "```sh\ncurl -s http://127.0.0.1:3000/livez\n```\n"
    const output = '```json\n{ "status": "ok" }\n```\n'
    assert.strictEqual(page(`${example}\n${output}`).examples[0]?.shown?.format, "json")
    assert.throws(() => page(`${example}\nAnd then:\n\n${output}`), /page:7 /)
    assert.throws(() => page("```sh\nrm -r data\n```\n"), /page:1 /)
    assert.throws(() => page("```\nwhat is this?\n```\n"), /page:1 /)
    assert.throws(() => page("Call it:\n\n    curl -s http://127.0.0.1:3000/nope\n"), /page has a block/)
    assert.throws(() => page("- a list\n\n  ```sh\n  curl -s http://127.0.0.1:3000\n  ```\n"), /page has a block/)
    assert.lengthOf(page("<!-- not run: it would hurt -->\n\n```sh\nrm -r data\n```\n").unrun, 1)
  })

  it("fails the test if a number, field, status, header or line is wrong", () => {
    const json = (text: string, actual: string) => isOutput({ format: "json", text }, actual, usualBase)
    const response = '{"id":"01a1fd27-aff8-742b-ad1d-d7cb9711a49f","list":["one two","three"],"n":1}'
    assert.isTrue(json('{"id":"00000000-aff8-742b-ad1d-d7cb9711a49f","list":["one …","…"],"n":1}', response))
    for (const wrong of ['"list":["two …","…"],"n":1', '"list":["one …"],"n":1', '"list":["…"],"n":2', '"n":1']) {
      assert.isFalse(json(`{"id":"01a1fd27-aff8-742b-ad1d-d7cb9711a49f",${wrong}}`, response), wrong)
    }
    assert.isTrue(json('{"…":"…","n":1}', response))
    for (const wrong of ['{"…":"…","n":2}', '{"list":["…"],"…":"…"}', '{"…":"…","list":["…"]}']) {
      assert.isFalse(json(wrong, response), wrong)
    }
    assert.isFalse(json('{"n":1,"…":"…"}', '{"n":1}'))
    const http = (text: string) =>
      isOutput({ format: "http", text }, 'HTTP/1.1 200 OK\r\na: 1\r\nb: 2\r\n\r\n{"n":1}', usualBase)
    assert.isTrue(http("HTTP/1.1 200 OK\nb: 2\n"))
    assert.isTrue(http('HTTP/1.1 200 OK\n\n{ "n": 1 }\n'))
    for (const wrong of ["HTTP/1.1 201 OK\n", "HTTP/1.1 200 OK\nc: 2\n", 'HTTP/1.1 200 OK\n\n{ "n": 2 }\n']) {
      assert.isFalse(http(wrong), wrong)
    }
    const text = (shown: string) => isOutput({ format: "text", text: shown }, "one\ntwo 3\n", usualBase)
    assert.isTrue(text("one\ntwo …\n"))
    for (const wrong of ["one\n", "one\ntwo 4\n", "one\ntwo 3\nfour\n"]) assert.isFalse(text(wrong), wrong)
  })
})
