import { execFileSync, spawnSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { delimiter } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { rolldown } from "rolldown"
import manifest from "../../../clients/typescript/package.json" with { type: "json" }
import packageJson from "../../../package.json" with { type: "json" }
import { asServed } from "../../../src/extensions/guide/Guide.ts"
import { temporaryDirectory } from "../../support/Application.ts"
import { serveHere } from "../../support/Http.ts"
import { outputOf } from "../../support/Process.ts"
import { sample } from "../../support/Samples.ts"
import { slowly } from "../../support/slowly.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const folder = `${root}clients/typescript`
const readBuilt = (file: string) => readFileSync(`${folder}/dist/${file}`, "utf8")

/** A user's code; `@ts-expect-error` fails the check if there is no error below it. */
const program = `
const client = new Client({ timeout: 20, maxRetries: 1 })
const request: ForecastRequest = ${JSON.stringify(sample)}

const wrong = async (answer: ForecastAnswer, error: Error) => {
  // @ts-expect-error a number is not a text
  await client.forecast({ ...request, emails_sent: "5000" })
  // @ts-expect-error five fields are required
  await client.forecast({ emails_sent: 5000 })
  // @ts-expect-error a misspelled field
  await client.forecast({ ...request, average_deal_valu: 1 })
  // @ts-expect-error there is no such aim
  await client.goal({ ...request, goal: { client: 4 } })
  // @ts-expect-error a figure that cannot be computed is null
  answer.estimated_revenue.toFixed()
  // @ts-expect-error a response of the service has an ID, an object literal has none
  answer.requestId
  if (error instanceof ApiError) return error.status === error.statusCode
  // A member that is missing in one class may be in another one.
  if (error instanceof APIConnectionError) return "lost"
  if (error instanceof OutreachForecastError && !(error instanceof APIError)) return error.message
  // @ts-expect-error there is no such field
  return answer.profit
}

const main = async () => {
  const options = { idempotencyKey: crypto.randomUUID(), signal: AbortSignal.timeout(20_000), timeout: 19, maxRetries: undefined }
  const answer = await client.forecast({ ...request, campaign_cost: undefined }, options)
  const forecast: ForecastAnswer = answer
  const multiple: number | null = forecast.roi_multiple
  const grade: "strong" | "healthy" | "break_even_or_unclear" | "weak" = answer.performance_grade
  const id: string | undefined = answer.requestId
  const limit: boolean = answer.headers.get("ratelimit") === '"credits";r=' + answer.usage.credits_remaining
  const level: "low" | "medium" | "high" = (await client.legacyRoi({ ...request, campaign_cost: null })).risk_level
  const entries: Array<LedgerEntry> = []
  for await (const entry of client.ledger()) entries.push(entry)
  const deltas: Array<number> = entries.slice(0, 2).map(({ delta }) => delta)
  const goal: GoalAnswer = await client.withOptions({ maxRetries: 0 }).goal({ ...request, goal: { clients: 4, chance: 0.8 } })
  const emails: number | null = goal.needed.emails_sent.needed
  const { thresholds } = await client.benchmarks()
  const flag: string | undefined = thresholds[0]?.flag
  const packs: Array<string> = (await client.creditPacks()).packs.map(({ id }) => id)
  const code = await client.forecast({ ...request, reply_rate: 101 }).catch((error: unknown) =>
    error instanceof APIError && !(error instanceof UsageExhaustedError) ? error.errors.map(({ pointer }) => pointer) : error
  )
  const warnings: Array<string> = []
  process.on("warning", ({ name }) => warnings.push(name))
  const { signal } = new AbortController()
  await Promise.all(Array.from({ length: 20 }, () => client.usage({ signal })))
  const ids = [id !== undefined, id === answer.headers.get("x-request-id")]
  console.log(JSON.stringify({ multiple, grade, ids, limit, level, deltas, emails, flag, packs, code, warnings, wrong: typeof wrong }))
}
void main()
`
const names = "APIError, ApiError, Client, APIConnectionError, OutreachForecastError, UsageExhaustedError"
const types = "ForecastAnswer, ForecastRequest, GoalAnswer, LedgerEntry"

/** The same program as a module of each kind. */
const programs = {
  "esm.mts": `import { ${names} } from "outreach-forecast"\nimport type { ${types} } from "outreach-forecast"\n${program}`,
  "commonjs.cts": `import outreach = require("outreach-forecast")\nimport type { ${types} } from "outreach-forecast"
const { APIError, ApiError, Client: Calls, APIConnectionError, OutreachForecastError, UsageExhaustedError } = outreach
${program.replace("new Client(", "new Calls(")}`
}

const expected = {
  multiple: null,
  grade: "break_even_or_unclear",
  ids: [true, true],
  limit: true,
  level: "medium",
  deltas: [-1, -1],
  emails: 11_944,
  flag: "low_reply_rate",
  packs: ["starter", "growth", "scale"],
  code: ["/reply_rate"],
  warnings: [],
  wrong: "function"
}

/** The command from the documentation, for a service at another address. */
const installCommand = (url: string) => {
  const [command = assert.fail("README.md does not say how to install the client")] =
    /^npm install .*$/m.exec(readFileSync(`${root}README.md`, "utf8")) ?? []
  return command.replace("http://127.0.0.1:3000", url)
}

/** A service, and a folder with nothing but the package, installed from the service as the documentation says. */
class Installed extends Context.Service<Installed, { readonly directory: string; readonly url: string }>()(
  "Installed"
) {
  static readonly layer = Layer.effect(
    Installed,
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { url } = yield* serveHere()
      writeFileSync(`${directory}/package.json`, '{ "private": true }')
      const env = { npm_config_cache: `${directory}/cache`, npm_config_audit: "false" }
      yield* outputOf("sh", ["-c", installCommand(url)], env, directory)
      return { directory, url }
    })
  )
}

/** Type-checks and compiles a project; the output of the compiler is shown if it finds an error. */
const tsc = (folder: string, config: object) => {
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config))
  const { status, stdout } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`], { cwd: folder })
  assert.strictEqual(status, 0, stdout.toString())
}

/** The Node that the tests run on, and every other node on this machine that is new enough for the client. */
const nodes = () => {
  const found = (process.env["PATH"] ?? "").split(delimiter).map((folder) => `${folder}/node`)
  const files = new Set(
    [process.execPath, ...found.filter((file) => existsSync(file))].map((file) => realpathSync(file))
  )
  // A version manager's shim may print anything, or fail.
  return [...files].filter((file) => {
    const { status, stdout } = spawnSync(file, ["--version"], { encoding: "utf8", env: {} })
    return status === 0 && Number(/^v(\d+)\./.exec(stdout)?.[1]) >= 20
  })
}

describe("the TypeScript client, installed from the service", slowly, () => {
  layer(Installed.layer, { excludeTestServices: true })((it) => {
    it.effect("brings no other package, and matches what npm packs", () =>
      Effect.gen(function* () {
        const { directory, url } = yield* Installed
        const packages = readdirSync(`${directory}/node_modules`).filter((name) => !name.startsWith("."))
        assert.deepStrictEqual(packages, ["outreach-forecast"])
        // Without scripts: there are none.
        const packed = yield* temporaryDirectory
        // The user may have no home where npm could keep its cache.
        const args = ["pack", "--ignore-scripts", "--silent", `--pack-destination=${packed}`, `--cache=${packed}/cache`]
        execFileSync("npm", args, { cwd: folder })
        execFileSync("tar", ["-xzf", `${packed}/outreach-forecast-${packageJson.version}.tgz`, `--directory=${packed}`])
        const contents = (folder: string) =>
          Object.fromEntries(
            readdirSync(folder, { recursive: true, withFileTypes: true })
              .filter((entry) => entry.isFile())
              .map(({ name, parentPath }) => [
                name,
                asServed(readFileSync(`${parentPath}/${name}`, "utf8"), { baseUrl: url, hasDemoKey: true })
              ])
          )
        const installed = contents(`${directory}/node_modules/outreach-forecast`)
        assert.deepStrictEqual(installed, contents(`${packed}/package`))
        assert.match(installed["LICENSE"] ?? "", /^MIT License\n\nCopyright 2026 the authors of Outreach Forecast\n/)
      })
    )

    it.effect(
      "is typed exactly, as a module of either kind, and calls the service it is from on each available Node",
      () =>
        Effect.gen(function* () {
          const { directory: installed } = yield* Installed
          // The other test, which may run later, needs the installed folder unchanged.
          const directory = yield* temporaryDirectory
          cpSync(`${installed}/node_modules`, `${directory}/node_modules`, { recursive: true })
          mkdirSync(`${directory}/node_modules/@types`)
          for (const name of ["@types/node", "undici-types"]) {
            symlinkSync(realpathSync(`${root}node_modules/${name}`), `${directory}/node_modules/${name}`)
          }
          for (const [name, text] of Object.entries(programs)) writeFileSync(`${directory}/${name}`, text)
          tsc(directory, {
            compilerOptions: {
              strict: true,
              exactOptionalPropertyTypes: true,
              module: "NodeNext",
              target: "ES2022",
              lib: ["ES2022"],
              types: ["node"],
              skipLibCheck: false,
              outDir: "out"
            },
            files: Object.keys(programs)
          })
          assert.isNotEmpty(nodes())
          for (const node of nodes()) {
            for (const file of ["esm.mjs", "commonjs.cjs"]) {
              const output = yield* outputOf(node, [`out/${file}`], { SERVICE_API_KEY: "demo" }, directory)
              assert.deepStrictEqual(JSON.parse(output), expected, `${node} ${file}`)
            }
          }
        })
    )
  })
})

describe("the package of the TypeScript client", slowly, () => {
  it("has the service's version, no dependencies, and no install scripts", () => {
    assert.strictEqual(manifest.version, packageJson.version)
    for (const name of ["dependencies", "peerDependencies", "optionalDependencies", "scripts"]) {
      assert.notProperty(manifest, name)
    }
  })

  it("imports nothing, and is smaller than 20 kB minified", async () => {
    for (const file of ["index.js", "index.cjs"]) {
      assert.notMatch(readBuilt(file), /^import |\bimport\(|\brequire\(/m)
      const bundle = await rolldown({ input: `${folder}/dist/${file}`, platform: "neutral" })
      const { output } = await bundle.generate({ minify: true, exports: "named" })
      assert.isBelow(output[0].code.length, 20_000)
    }
  })

  it("documents each class, method, option and field for editors, in both kinds of module", () => {
    const types = readBuilt("index.d.ts")
    assert.strictEqual(readBuilt("index.d.cts"), types)
    const lines = types.split("\n").map((line) => line.trim())
    const bare = lines.filter((line, i) => {
      const isDeclared =
        /^(?:export |readonly |async |\*?\w+\()/.test(line) && !/^(?:readonly name|constructor)/.test(line)
      return isDeclared && lines[i - 1]?.endsWith("*/") !== true
    })
    // The document does not describe these, because their names do: the aims of a goal, the ends of a range, two neighbours.
    const plain = /^readonly (?:replies|meetings|clients|revenue|profit|roi_multiple|chance|low|high|first|second)\??: /
    assert.deepStrictEqual(
      bare.filter((line) => !plain.test(line)),
      []
    )
  })
})
