import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { watched } from "../../support/Canary.ts"
import { post, send } from "../../support/Http.ts"
import { slowly } from "../../support/slowly.ts"

describe("the secret of a sub-key", slowly, () => {
  it.effect("is only in the response that reveals it, and its name is in no trace", () =>
    watched(({ keyIn, responses, secrets, traced }) =>
      Effect.gen(function* () {
        const owner = { name: "Ada", email: "ada@example.com", company: "Example" }
        const key = Redacted.value((yield* (yield* ApiKeys).issue(owner)).secret)
        secrets.add(key)
        const create = post("/api/v1/sub-keys", { key, body: JSON.stringify({ name: "Canary & Sons" }) })
        const created = yield* create
        assert.strictEqual(created.status, 201)
        const subKey = keyIn(created.text)
        const taken = yield* create
        assert.strictEqual(taken.status, 409)
        responses.push(taken.text)
        responses.push((yield* post("/api/v1/forecast", { key: subKey })).text)
        responses.push((yield* send("/api/v1/sub-keys", { headers: { "x-api-key": key } })).text)
        responses.push((yield* post(`/api/v1/sub-keys/${subKey}/rotate`, { key, body: "{}" })).text)
        assert.strictEqual(secrets.size, 3)
        assert.notInclude(traced(), "Canary & Sons")
      })
    )
  )
})
