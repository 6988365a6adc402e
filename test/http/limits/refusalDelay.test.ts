import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { httpApplication, issueKey, post, unknownKey } from "../../support/Http.ts"

describe("a refusal that costs its sender nothing", () => {
  it.effect("is held back for a tenth of a second: an unknown or revoked key, and too many requests", () =>
    Effect.gen(function* () {
      const revoked = yield* issueKey()
      yield* (yield* ApiKeys).revoke(revoked.id, "owner")
      const { secret } = yield* issueKey()
      for (let i = 0; i < 2; i++) assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).status, 200)
      for (const [key, code] of [
        [yield* unknownKey, "invalid_key"],
        [revoked.secret, "key_revoked"],
        [secret, "rate_limited"]
      ] as const) {
        for (const path of ["/api/v1/forecast", "/api/v1/forecasts"]) {
          const startedAt = performance.now()
          assert.strictEqual((yield* post(path, { key })).problem.code, code)
          assert.isAtLeast(performance.now() - startedAt, 95)
        }
      }
    }).pipe(Effect.provide(httpApplication({ env: { KEY_REQUESTS_PER_SECOND: "2" } })))
  )
})
