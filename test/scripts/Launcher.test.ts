import { execFileSync } from "node:child_process"
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../support/Application.ts"
import { lacksTemporaryPrograms } from "../support/Machine.ts"
import { startCommand, stop, untilPrinted } from "../support/Process.ts"
import { slowly } from "../support/slowly.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Makes Node report an older version, except in the program that it starts. */
const older = `
if (process.env.IS_YOUNG === undefined) {
  Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } })
  process.env.IS_YOUNG = ""
}`

/** An installation, with this Node as its own one or without any. */
const installation = Effect.fnUntraced(function* (hasNode: boolean) {
  const directory = yield* temporaryDirectory
  execFileSync(process.execPath, [`${root}scripts/runtime.mjs`, directory])
  writeFileSync(`${directory}/older.cjs`, older)
  if (hasNode) {
    mkdirSync(`${directory}/node_modules/node/bin`, { recursive: true })
    writeFileSync(`${directory}/node_modules/node/package.json`, "{}")
    symlinkSync(process.execPath, `${directory}/node_modules/node/bin/node`)
  }
  const start = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
    startCommand(process.execPath, ["--require", "./older.cjs", "dist/main.js", ...args], directory, {
      HOME: directory,
      APP_ENV: "test",
      PORT: "0",
      ...env
    })
  return { directory, start }
})

describe("the built program", () => {
  const [code = ""] = /[0-9a-f]{16}/.exec(readFileSync(`${root}dist/main.js`, "utf8")) ?? []

  /** The names of its files with this text. */
  const having = (text: string) =>
    globSync(`dist/${code}/*.js`, { cwd: root })
      .filter((file) => readFileSync(`${root}${file}`, "utf8").includes(text))
      .map((file) => basename(file).replace(/-.*/, ""))

  it("does not import node:http, which would load a client that it does not use", () => {
    assert.include(having('"node:http"'), "main.js")
    assert.deepStrictEqual(having('from "node:http"'), [])
  })
})

describe.skipIf(process.platform === "win32" || lacksTemporaryPrograms())("dist/main.js", slowly, () => {
  it.live("on an older Node runs on the one in the installation, and passes on signals and the exit status", () =>
    Effect.gen(function* () {
      const { directory, start } = yield* installation(true)
      const server = yield* start(["serve"])
      yield* untilPrinted(server, '"message":"listening"')
      assert.strictEqual((yield* stop(server, "SIGTERM")).code, 0)
      assert.isNotEmpty(globSync("dist/*/.cache/*/*", { cwd: directory }), "the next start need not compile it again")
      const failed = yield* start(["keys", "show", "nobody"])
      assert.strictEqual(yield* Effect.promise(() => failed.exit), 1)
      assert.include(failed.stderr(), "outreach-forecast.db")
    })
  )

  it.live("without a newer Node says in one sentence which version it needs", () =>
    Effect.gen(function* () {
      const { start } = yield* installation(false)
      const message = /^Outreach Forecast needs Node 24 or newer, and this is 20\.19\.0 at .+\. .*\n$/
      const refused = yield* start(["keys", "list"])
      assert.strictEqual(yield* Effect.promise(() => refused.exit), 1)
      assert.match(refused.stderr(), message)
      const logged = yield* start(["serve"], { APP_ENV: "production" })
      assert.strictEqual(yield* Effect.promise(() => logged.exit), 1)
      assert.match(
        logged.stderr(),
        /^\{"time":"[^"]+","level":"error","message":"service failed","reason":"[^"]+"\}\n$/
      )
    })
  )

  it.live("exits when the npm that started it exits", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      // Like npx: a shell that exits without notifying the process that it runs.
      const npm = yield* startCommand(
        "sh",
        ["-c", '"$0" "$1" serve; echo ended', process.execPath, `${root}dist/main.js`],
        directory,
        { HOME: directory, APP_ENV: "test", PORT: "0", npm_execpath: "npm", DATABASE_URL: "sqlite::memory:" }
      )
      yield* untilPrinted(npm, '"message":"listening"')
      const url = /"url":"([^"]+)"/.exec(npm.stderr())?.[1] ?? ""
      npm.process.kill("SIGTERM")
      // The pipes close when the last process that holds them exits.
      yield* Effect.promise(() => npm.exit)
      const response = yield* Effect.promise(() => fetch(`${url}/livez`).then(String, () => "nobody"))
      assert.strictEqual(response, "nobody")
    })
  )
})
