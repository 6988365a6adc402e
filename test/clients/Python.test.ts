import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inPython, methods, settings } from "../../scripts/docTables/clients.ts"
import { clientErrors } from "../../scripts/docTables/errors.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { temporaryDirectory } from "../support/Application.ts"
import { issueKey, serveHere } from "../support/Http.ts"
import { startCommand } from "../support/Process.ts"
import { python, pythonObstacle as obstacle } from "../support/Python.ts"
import { jsonOf } from "../support/Requests.ts"
import { slowly } from "../support/slowly.ts"

const client = fileURLToPath(new URL("../../clients/python", import.meta.url))

const namesInPython = `
import inspect, json
import outreach_forecast as package
methods = sorted(name for name, _ in inspect.getmembers(package.Client, inspect.isfunction) if name[0] != "_")
errors = sorted(name for name, kind in vars(package).items() if isinstance(kind, type) and issubclass(kind, Exception))
print(json.dumps({"methods": methods, "settings": list(inspect.signature(package.Client).parameters), "errors": errors}))
`

if (obstacle !== undefined) {
  process.stderr.write(`\nThe tests of the Python client are skipped: ${obstacle}. PYTHON may name another.\n\n`)
}

/** One key for each purpose in the tests. */
const issueKeys = Effect.gen(function* () {
  const { revoke, setKeyPlan } = yield* ApiKeys
  const [inactive, revoked] = [yield* issueKey(1), yield* issueKey(1)]
  yield* setKeyPlan(inactive.id, "inactive")
  yield* revoke(revoked.id, "operator")
  return JSON.stringify({
    usable: (yield* issueKey(100_000)).secret,
    exhausted: (yield* issueKey(0)).secret,
    inactive: inactive.secret,
    revoked: revoked.secret,
    rotated: (yield* issueKey(1)).secret,
    replaced: (yield* issueKey(1)).secret
  })
})

describe.skipIf(obstacle !== undefined)(
  `Python client${obstacle === undefined ? "" : ` (${obstacle})`}`,
  slowly,
  () => {
    it.live("has the methods, settings and errors that the guide lists", () =>
      Effect.gen(function* () {
        const process = yield* startCommand(python, ["-c", namesInPython], client, { PYTHONPATH: "src" })
        yield* Effect.promise(() => process.exit)
        assert.deepStrictEqual<unknown>(jsonOf(process.stdout()), {
          methods: [...Object.keys(methods).map(inPython), "close"].toSorted(),
          settings: Object.keys(settings).map(inPython),
          errors: Object.keys(clientErrors).toSorted()
        })
      })
    )

    it.live("passes its own tests against the service, without a warning", () =>
      Effect.gen(function* () {
        const { services, url } = yield* serveHere()
        const env = {
          PATH: process.env["PATH"] ?? "",
          HOME: yield* temporaryDirectory,
          PYTHONPATH: "src",
          PYTHONDONTWRITEBYTECODE: "1",
          TEST_SERVICE_URL: url,
          TEST_SERVICE_KEYS: yield* Effect.provide(issueKeys, services)
        }
        // They mostly wait. Those with a key share its balance, and run one after another.
        const files = readdirSync(`${client}/tests`).filter((file) => /^test_.*\.py$/.test(file))
        const hasKey = (file: string) => readFileSync(`${client}/tests/${file}`, "utf8").includes("KEYS[")
        yield* Effect.all([files.filter(hasKey), files.filter((file) => !hasKey(file))].map(runTests(env)), {
          concurrency: 2
        })
      })
    )
  }
)

const runTests = (env: Readonly<Record<string, string>>) =>
  Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
    assert.isNotEmpty(files)
    const modules = files.toSorted().map((file) => `tests.${file.slice(0, -3)}`)
    const tests = yield* startCommand(python, ["-W", "error", "-m", "unittest", ...modules], client, env)
    const code = yield* Effect.promise(() => tests.exit)
    const output = tests.stdout() + tests.stderr()
    assert.strictEqual(code, 0, output)
    assert.match(output, /^Ran [1-9]\d+ tests/m)
    // Errors that nobody can catch, such as in a destructor.
    assert.notMatch(output, /Warning|Exception ignored|Exception in thread/, output)
    const skipped = /skipped=\d+|^Skipped .*$/m.exec(output)?.[0]
    if (skipped !== undefined) process.stderr.write(`\nPython client: ${skipped}\n\n`)
  })
