import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Notices } from "../../../src/extensions/notices/Notices.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { watched } from "../../support/Canary.ts"
import { post, send } from "../../support/Http.ts"
import { slowly } from "../../support/slowly.ts"

describe("the token of a link that switches notices off", slowly, () => {
  it.effect("is only in its email, whether the link is used correctly or wrongly", () =>
    watched(({ deliver, responses, secrets }) =>
      Effect.gen(function* () {
        const owner = { name: "Bob", email: "bob@example.com", company: "Example" }
        const key = Redacted.value((yield* (yield* ApiKeys).issue(owner, 1)).secret)
        secrets.add(key)
        yield* post("/api/v1/forecast", { key })
        yield* (yield* Notices).queueDue
        const token = yield* deliver
        for (const [path, method, status] of [
          ["", "GET", 200],
          ["", "POST", 200],
          ["", "DELETE", 405],
          ["x", "POST", 404],
          ["/more", "GET", 404]
        ] as const) {
          const response = yield* send(`/unsubscribe/${token}${path}`, { method })
          assert.strictEqual(response.status, status)
          responses.push(response.text)
        }
        assert.strictEqual(secrets.size, 3)
      })
    )
  )
})
