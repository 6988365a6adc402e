import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { nodeAt } from "../../../src/http/document/OpenApiDocument.ts"
import { fitsSchema, operations, schemaOf } from "../../support/Contract.ts"
import { httpApplication, issueKey, post } from "../../support/Http.ts"
import { sample } from "../../support/Samples.ts"

const owner = { name: "Ada Lovelace", email: "ada@example.com", company: "Example Ltd" }
const so_far = { emails_sent: 200, replies: 6, positive_replies: 2, meetings: 1, clients: 0 }

/** Requests that the document accepts or refuses, apart from the bounds of single fields. */
const requests: ReadonlyArray<readonly [path: string, body: object, isTaken: boolean]> = [
  ["/api/v1/goals", { ...sample, goal: { clients: 4 } }, true],
  ["/api/v1/goals", { ...sample, goal: { clients: 4, chance: 0.8, replies: null } }, true],
  ["/api/v1/goals", { ...sample, goal: { clients: 4, replies: 100 } }, false],
  ["/api/v1/goals", { ...sample, goal: { clients: null, chance: 0.8 } }, false],
  ["/api/v1/goals", { ...sample, goal: {} }, false],
  ["/api/v1/progress", { ...sample, so_far }, true],
  ["/api/v1/progress", { ...sample, so_far, open: { emails: 3, replies: null }, emails_left: null }, true],
  ["/api/v1/progress", { ...sample, so_far: { ...so_far, replies: null } }, false],
  ["/api/v1/progress", { ...sample, so_far: { ...so_far, replies: 6.5 } }, false],
  ["/api/v1/progress", { ...sample, so_far, open: { emails: -1 } }, false],
  ["/api/v1/progress", { ...sample, so_far, emails_left: 100_001 }, false],
  ["/api/v1/progress", sample, false],
  ["/api/v1/forecast", { ...sample, history: [{ emails_sent: 800, replies: 31, clients: null }] }, true],
  ["/api/v1/forecast", { ...sample, history: null }, true],
  ["/api/v1/forecast", { ...sample, evidence: {} }, false],
  ["/api/v1/forecasts", { campaigns: [{ ...sample, name: "😀".repeat(200) }] }, true],
  ["/api/v1/forecasts", { campaigns: [{ ...sample, name: "😀".repeat(201) }] }, false],
  ["/api/v1/forecasts", { campaigns: [{ ...sample, name: "A\tB" }] }, false],
  ["/api/v1/access-requests", { ...owner, name: "😀".repeat(200) }, true],
  ["/api/v1/access-requests", { ...owner, name: "😀".repeat(201) }, false],
  ["/api/v1/access-requests", { ...owner, name: " \u00a0\u200b" }, false],
  ["/api/v1/access-requests", { ...owner, company: "A\u0000B" }, false],
  ["/api/v1/access-requests", { ...owner, phone: "1" }, false]
]

describe("a request as the OpenAPI document describes it", () => {
  layer(httpApplication())((it) => {
    it.effect("is accepted and refused by the service accordingly", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        for (const [path, body, isTaken] of requests) {
          const { operation } = operations.find((each) => each.path === path) ?? {}
          const schema = schemaOf(nodeAt(operation, "requestBody", "content", "application/json"))
          const text = JSON.stringify(body)
          assert.strictEqual(fitsSchema(schema, body), isTaken, `the document: ${path} ${text}`)
          const key = path === "/api/v1/access-requests" ? undefined : secret
          const { status } = yield* post(path, { key, body: text })
          assert.strictEqual(status < 300, isTaken, `the service: ${path} ${text}`)
        }
      })
    )
  })
})

describe("the links of the OpenAPI document", () => {
  it("lead to operations, with values from a response", () => {
    const found: Array<string> = []
    for (const { operation } of operations) {
      for (const [status, response] of Object.entries(nodeAt(operation, "responses") ?? {})) {
        const answer = schemaOf(nodeAt({ response }, "response", "content", "application/json"))
        for (const link of Object.values(nodeAt({ response }, "response", "links") ?? {})) {
          const { operationId } = nodeAt({ link }, "link") ?? {}
          const target = operations.find((each) => each.operation["operationId"] === operationId)
          assert.isDefined(target, String(operationId))
          found.push(`${String(operation["operationId"])} ${status} ${String(operationId)}`)
          for (const name of Object.keys(nodeAt({ link }, "link", "parameters") ?? {})) {
            assert.include(JSON.stringify(target?.operation["parameters"]), `"name":"${name}"`)
          }
          const body = schemaOf(nodeAt(target?.operation, "requestBody", "content", "application/json"))
          for (const name of Object.keys(nodeAt({ link }, "link", "requestBody") ?? {})) {
            assert.property(body["properties"], name)
          }
          for (const [, field = ""] of JSON.stringify(link).matchAll(/\$response\.body#\/(\w+)/g)) {
            assert.property(answer["properties"], field)
          }
        }
      }
    }
    assert.deepStrictEqual(found, [
      "confirmAccess 200 usage",
      "ledger 200 ledger",
      "rotate 200 usage",
      "subKeys 200 subKeys",
      "createSubKey 201 usage",
      "rotateSubKey 200 usage",
      "creditPacks 200 order",
      "order 201 orderStatus"
    ])
  })
})
