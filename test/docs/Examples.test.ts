import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { asServed, guideNames } from "../../src/http/pages/Guide.ts"
import { temporaryDirectory } from "../support/Application.ts"
import { type ExamplePage, type Language, readExamples } from "../support/Examples.ts"
import { openApiExamples } from "../support/OpenApiExamples.ts"
import { isOutput } from "../support/Outputs.ts"
import { serve } from "../support/Process.ts"
import { pythonObstacle } from "../support/Python.ts"
import {
  checkPythonTypes,
  checkTypes,
  type Examples,
  runCommands,
  runCurl,
  runPython,
  runTypeScript,
  writeModules
} from "../support/Runners.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const pages = [
  ...["README.md", ...guideNames.map((name) => `docs/${name}.md`), "clients/python/README.md"].map((file) =>
    readExamples(file, readFileSync(`${root}${file}`, "utf8"))
  ),
  openApiExamples()
]

/** Where the service of the examples listens. */
const usualBase = "http://127.0.0.1:3000"

const runners: ReadonlyArray<readonly [Language, (examples: Examples) => Effect.Effect<ReadonlyArray<string>>]> = [
  ["curl", runCurl],
  ["command", runCommands],
  ["Python", runPython],
  ["TypeScript", runTypeScript]
]

const counts = new Map<Language, number>()
afterAll(() => {
  const text = [...counts].map(([language, count]) => `${count} ${language}`).join(", ")
  process.stdout.write(`Examples run, and their outputs compared: ${text}\n`)
  if (pythonObstacle !== undefined) process.stderr.write(`\nNo Python example was run: ${pythonObstacle}.\n\n`)
})

const of = (language: Language, { examples }: ExamplePage) =>
  examples.filter((example) => example.language === language)

describe("examples", () => {
  for (const page of pages) {
    for (const [language, runExamples] of runners) {
      const chosen = of(language, page)
      if (chosen.length === 0) continue
      const test = language === "Python" && pythonObstacle !== undefined ? it.live.skip : it.live
      // A service of its own, so that the page shows what whoever follows it in this language sees.
      test(`of ${page.name} print what it shows: ${chosen.length} ${language}`, () =>
        Effect.gen(function* () {
          const base = language === "command" ? usualBase : (yield* serve(yield* temporaryDirectory)).url
          const outputs = yield* runExamples({
            codes: chosen.map(({ code }) => code.replaceAll(usualBase, base)),
            directory: yield* temporaryDirectory,
            isolated: page.isIsolated,
            key: "demo"
          })
          for (const [i, { shown, where }] of chosen.entries()) {
            const output = outputs[i] ?? assert.fail(`${where} did not end`)
            if (shown !== undefined) {
              assert.isTrue(isOutput(shown, output, base), `${where} does not print what it shows:\n${output}`)
            } else if (language !== "command") {
              assert.strictEqual(output, "", `${where} prints what the page does not show`)
            }
            counts.set(language, (counts.get(language) ?? 0) + 1)
          }
        }))
    }
  }

  for (const [language, runExamples] of runners) {
    if (language === "command" || (language === "Python" && pythonObstacle !== undefined)) continue
    it.live(`of the guide in ${language} work with a key in SERVICE_API_KEY where there is no demo key`, () =>
      Effect.gen(function* () {
        const { url } = yield* serve(yield* temporaryDirectory, { DEMO_KEY: "another" })
        for (const page of pages.filter(({ name }) => name.startsWith("docs/"))) {
          const codes = of(language, page).map(({ code }) => asServed(code, { hasDemoKey: false, publicUrl: url }))
          const directory = yield* temporaryDirectory
          const outputs = yield* runExamples({ codes, directory, isolated: false, key: "another" })
          assert.lengthOf(outputs, codes.length, page.name)
          for (const output of outputs) {
            assert.notMatch(output, /missing_key|invalid_key|cannot be reached|^\d{3} /, page.name)
          }
        }
      })
    )
  }

  it.live("in TypeScript have the types of the client", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const modules = pages.flatMap((page, i) => {
        const codes = of("TypeScript", page).map(({ code }) => code)
        return codes.length === 0
          ? []
          : writeModules({ codes, directory, isolated: page.isIsolated, key: "" }, `page${i}`)
      })
      assert.strictEqual(yield* checkTypes(directory, modules), "")
    })
  )

  it.live.skipIf(pythonObstacle !== undefined)("in Python have the types of the client", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      for (const [i, page] of pages.entries()) {
        const codes = of("Python", page).map(({ code }) => code)
        const modules = page.isIsolated ? codes : [codes.join("\n")]
        for (const [j, code] of modules.entries()) writeFileSync(`${directory}/page${i}_${j}.py`, code)
      }
      const report = yield* checkPythonTypes(directory)
      assert.match(report, /^\d+ errors?, 0 warnings/m)
      // To the checker a dictionary that is unpacked gives its numbers to every argument, of which two are none.
      const isUnpacked = (line: string) =>
        /"int" cannot be assigned to parameter "(?:idempotency_key|evidence)"/.test(line)
      const complaints = report.split("\n").filter((line) => line.includes(" - error: ") && !isUnpacked(line))
      assert.deepStrictEqual(complaints, [])
    })
  )
})

describe("a page", () => {
  it("has as many examples of curl, commands, Python and TypeScript as it is known to have", () => {
    const numbers = pages.map((page) => [page.name, ...runners.map(([language]) => of(language, page).length)])
    assert.deepStrictEqual(numbers, [
      ["README.md", 2, 9, 1, 0],
      ["docs/first-call.md", 1, 0, 2, 1],
      ["docs/rates.md", 1, 0, 0, 0],
      ["docs/certainty.md", 0, 4, 1, 1],
      ["docs/errors.md", 1, 0, 1, 1],
      ["docs/idempotency.md", 3, 0, 1, 1],
      ["docs/credits.md", 6, 0, 3, 3],
      ["docs/clients.md", 1, 0, 1, 1],
      ["docs/legacy.md", 1, 0, 1, 1],
      ["docs/operation.md", 0, 15, 0, 0],
      ["clients/python/README.md", 0, 0, 5, 0],
      ["/openapi.json", 8, 0, 8, 8]
    ])
  })

  it("says why of each block that is not run", () => {
    assert.deepStrictEqual(
      pages.flatMap(({ name, unrun }) => unrun.map((reason) => `${name}: ${reason}`)),
      [
        "README.md: npm runs these very tests",
        "README.md: how the folders are named",
        "README.md: npm scripts, each with a test or a check of its own",
        "docs/operation.md: it needs Docker",
        "docs/operation.md: it needs Docker",
        "docs/operation.md: it needs Docker",
        "clients/python/README.md: it installs the package"
      ]
    )
  })

  it("must mark a block that is neither an example nor its output", () => {
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

  it("fails by a wrong number, field, status, header or line", () => {
    const json = (text: string, actual: string) => isOutput({ format: "json", text }, actual, usualBase)
    const answer = '{"id":"01a1fd27-aff8-742b-ad1d-d7cb9711a49f","list":["one two","three"],"n":1}'
    assert.isTrue(json('{"id":"00000000-aff8-742b-ad1d-d7cb9711a49f","list":["one …","…"],"n":1}', answer))
    for (const wrong of ['"list":["two …","…"],"n":1', '"list":["one …"],"n":1', '"list":["…"],"n":2', '"n":1']) {
      assert.isFalse(json(`{"id":"01a1fd27-aff8-742b-ad1d-d7cb9711a49f",${wrong}}`, answer), wrong)
    }
    assert.isTrue(json('{"…":"…","n":1}', answer))
    for (const wrong of ['{"…":"…","n":2}', '{"list":["…"],"…":"…"}', '{"…":"…","list":["…"]}']) {
      assert.isFalse(json(wrong, answer), wrong)
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
