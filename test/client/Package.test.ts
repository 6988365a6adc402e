import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import { temporaryDirectory } from "../support/Application.ts"
import { serve } from "../support/Process.ts"
import { sample } from "../support/Samples.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** What a user writes; `@ts-expect-error` fails the check where there is no error below it. */
const program = `
import { ApiError, Client, type ForecastAnswer, type ForecastRequest, type GoalAnswer, type LedgerEntry, UsageExhaustedError } from "outreach-forecast/client"

const client = new Client({ baseUrl: process.env["URL"], timeout: 20, maxRetries: 1 })
const request: ForecastRequest = ${JSON.stringify(sample)}
const answer: ForecastAnswer = await client.forecast(request, { idempotencyKey: "first", signal: AbortSignal.timeout(20_000) })
const multiple: number | null = answer.roi_multiple
const grade: "strong" | "healthy" | "break_even_or_unclear" | "weak" = answer.performance_grade
const level: "low" | "medium" | "high" = (await client.legacyRoi({ ...request, campaign_cost: null })).risk_level
const entries: Array<LedgerEntry> = []
for await (const entry of client.ledger()) entries.push(entry)
const deltas: Array<number> = entries.map(({ delta }) => delta)
const goal: GoalAnswer = await client.goal({ ...request, goal: { clients: 4, chance: 0.8 } })
const emails: number | null = goal.needed.emails_sent.needed
const { thresholds } = await client.benchmarks()
const flag: string | undefined = thresholds[0]?.flag
const packs: Array<string> = (await client.creditPacks()).packs.map(({ id }) => id)
const code = await client.forecast({ ...request, reply_rate: 101 }).catch((error: unknown) =>
  error instanceof ApiError && !(error instanceof UsageExhaustedError) ? error.errors.map(({ pointer }) => pointer) : error
)

const wrong = async () => {
  // @ts-expect-error a number is no text
  await client.forecast({ ...request, emails_sent: "5000" })
  // @ts-expect-error five fields are required
  await client.forecast({ emails_sent: 5000 })
  // @ts-expect-error a misspelt field
  await client.forecast({ ...request, average_deal_valu: 1 })
  // @ts-expect-error there is no such aim
  await client.goal({ ...request, goal: { client: 4 } })
  // @ts-expect-error what cannot be computed is null
  answer.estimated_revenue.toFixed()
  // @ts-expect-error there is no such field
  return answer.profit
}
console.log(JSON.stringify({ multiple, grade, level, deltas, emails, flag, packs, code, wrong: typeof wrong }))
`

const expected = {
  multiple: 15.6,
  grade: "strong",
  level: "medium",
  deltas: [-1, -1, 100],
  emails: 7353,
  flag: "low_reply_rate",
  packs: ["starter", "growth", "scale"],
  code: ["/reply_rate"],
  wrong: "function"
}

/** A project that has the package, as npm packs it, and nothing else but Node's types. */
const makeProject = Effect.gen(function* () {
  const folder = yield* temporaryDirectory
  const packed = `${folder}/node_modules/outreach-forecast`
  mkdirSync(`${folder}/node_modules/@types`, { recursive: true })
  mkdirSync(packed)
  // Without scripts: they would build what the other tests run.
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", `--pack-destination=${folder}`], { cwd: root })
  execFileSync("tar", [
    "-xzf",
    `${folder}/outreach-forecast-${packageJson.version}.tgz`,
    "--strip-components=1",
    `--directory=${packed}`
  ])
  for (const name of ["@types/node", "undici-types"]) {
    symlinkSync(realpathSync(`${root}node_modules/${name}`), `${folder}/node_modules/${name}`)
  }
  writeFileSync(`${folder}/package.json`, '{ "type": "module" }')
  return folder
})

/** Checks, and writes, a project; what the compiler says is shown where it finds an error. */
const tsc = (folder: string, config: object) => {
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config))
  const { status, stdout } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`], { cwd: folder })
  assert.strictEqual(status, 0, stdout.toString())
}

/** The Node that the tests run on, and what else is called node on this machine. */
const nodes = () => {
  const found = (process.env["PATH"] ?? "").split(delimiter).map((folder) => `${folder}/node`)
  return new Set([process.execPath, ...found.filter((file) => existsSync(file))].map((file) => realpathSync(file)))
}

describe("outreach-forecast/client, packed and installed", () => {
  it.live("is typed exactly, with none of Effect's types, and calls the service on each Node that there is", () =>
    Effect.gen(function* () {
      const folder = yield* makeProject
      writeFileSync(`${folder}/program.ts`, program)
      tsc(folder, {
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
        files: ["program.ts"]
      })
      for (const node of nodes()) {
        const { url } = yield* serve(yield* temporaryDirectory)
        const output = execFileSync(node, ["out/program.js"], {
          cwd: folder,
          encoding: "utf8",
          env: { URL: url, SERVICE_API_KEY: "demo" }
        })
        assert.deepStrictEqual(JSON.parse(output), expected, node)
      }
    })
  )

  it.live("has the types of the API's declaration, no more and no less", () =>
    Effect.gen(function* () {
      const folder = yield* makeProject
      const source = readFileSync(`${root}src/client/Wire.ts`, "utf8")
      const names = source
        .matchAll(/^export type (\w+) = \w+[<[]/gm)
        .map(([, name = ""]) => name)
        .toArray()
      assert.lengthOf(names, 15)
      const same = names.map((name) => `export const ${name}: Same<Declared.${name}, Published.${name}> = true`)
      writeFileSync(
        `${folder}/same.ts`,
        `
import type * as Declared from "${root}src/client/Wire.ts"
import type * as Published from "outreach-forecast/client"
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
${same.join("\n")}
// @ts-expect-error they are not all the same
export const other: Same<Declared.ForecastAnswer, Published.LegacyForecastAnswer> = true
`
      )
      tsc(folder, { extends: `${root}tsconfig.json`, include: [], files: ["same.ts"] })
    })
  )

  it("runs nothing where it is installed: its dependencies may lie elsewhere there, and scripts be forbidden", () => {
    for (const name of ["preinstall", "install", "postinstall"]) assert.notProperty(packageJson.scripts, name)
  })

  it("is one file that imports nothing", () => {
    const code = readFileSync(`${root}dist/client/Client.js`, "utf8")
    assert.notMatch(code, /^import |\bimport\(|\brequire\(/m)
    assert.isBelow(code.length, 300_000)
  })
})
