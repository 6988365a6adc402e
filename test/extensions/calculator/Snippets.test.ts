import { execFileSync } from "node:child_process"
import { stripTypeScriptTypes } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { snippets } from "../../../src/extensions/calculator/views/Snippets.ts"
import { readForm } from "../../../src/extensions/calculator/readForm.ts"
import { decodeAssumptions } from "../../../src/campaign/Assumptions.ts"
import { decodeGoalRequest } from "../../../src/extensions/goals/GoalRequest.ts"
import { decodeJson } from "../../../src/input/parseJson.ts"
import { python, pythonObstacle } from "../../support/Python.ts"
import { sampleValues } from "../support/sampleValues.ts"
import type { FormValues } from "../../../src/site/form.ts"

const address = { baseUrl: "https://forecast.example", hasDemoKey: true }

const calls = (values: FormValues) => {
  const { errors, input } = readForm({ ...sampleValues, ...values })
  if (input === undefined) throw new Error(JSON.stringify(errors))
  return { input, code: snippets(input, address) }
}

const everything = {
  delivery_rate: "94.9",
  spread: "none",
  history: '3200.3100.61.....Ada\'s "list"_2900.2800.44',
  average_deal_value: "0.1",
  goal_chance: "99.9",
  b_reply_rate: "6",
  a_name: 'Ada\'s "list" $HOME `id`',
  b_name: "</code><b>\\"
}

/** The bodies that a shell would send. */
const bodies = (code: string) =>
  code
    .split("\n\n")
    .map((call) => execFileSync("sh", ["-c", call.replace(/^curl .*? -d /ms, "printf %s ")], { encoding: "utf8" }))

describe("the calls of the API", () => {
  it("contain the visitor's numbers", () => {
    const { code, input } = calls(everything)
    const [forecast = "", goal = ""] = bodies(code.curl)
    const decoded = Result.getOrThrow(decodeJson(forecast, decodeAssumptions))
    // Compared as JSON, because equal decimals may have different scales.
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
    assert.deepStrictEqual(plain(decoded), plain(input.first.assumptions))
    const reached = Result.getOrThrow(decodeJson(goal, decodeGoalRequest))
    assert.deepStrictEqual(plain(reached), plain({ assumptions: decoded, goal: input.goal }))
  })

  it.skipIf(pythonObstacle !== undefined)(
    "are the same in curl, Python and TypeScript, whatever the campaigns are called",
    () => {
      const { code } = calls(everything)
      const [forecast, goal, comparison] = bodies(code.curl).map((body): unknown => JSON.parse(body))
      assert.include(JSON.stringify(comparison), JSON.stringify(everything.a_name))

      const client = `
import json, sys, types
module = types.ModuleType("outreach_forecast")
class Client:
    def __init__(self, **settings): print(json.dumps(settings))
    def forecast(self, **body): return body
    def goal(self, **body): return body
    def forecasts(self, campaigns, **options): return {"campaigns": campaigns, **options}
module.Client = Client
sys.modules["outreach_forecast"] = module
`
      const output = execFileSync(python, ["-c", client + code.python.replaceAll(", indent=2", "")], {
        encoding: "utf8"
      })
      const [settings, ...asked] = output
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line))
      assert.deepStrictEqual(settings, { api_key: "demo", base_url: "https://forecast.example" })
      assert.deepStrictEqual(asked, [forecast, goal, comparison])

      const stub = `class Client {
  constructor(settings) { console.log(JSON.stringify(settings)) }
  forecast(body) { return body }
  goal(body) { return body }
  forecasts(campaigns, options) { return { campaigns, ...options } }
}
`
      // The name that the package has and the README installs.
      const imported = 'import { Client } from "outreach-forecast"\n'
      assert.isTrue(code.typescript.startsWith(imported))
      const script = stripTypeScriptTypes(code.typescript.replace(imported, stub).replaceAll(", null, 2)", ")"))
      const answered = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })
      const [options, ...sent] = answered
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line))
      assert.deepStrictEqual(options, { apiKey: "demo", baseUrl: "https://forecast.example" })
      assert.deepStrictEqual(sent, [forecast, goal, comparison])
    }
  )

  it("read the key from the environment if the demo key is not accepted", () => {
    const { input } = calls({})
    const code = snippets(input, { ...address, hasDemoKey: false })
    assert.include(code.curl, '-H "x-api-key: $SERVICE_API_KEY"')
    assert.include(code.python, 'Client(base_url="https://forecast.example")  # the key is in SERVICE_API_KEY')
    assert.include(
      code.typescript,
      'new Client({ baseUrl: "https://forecast.example" }) // the key is in SERVICE_API_KEY'
    )
  })
})
