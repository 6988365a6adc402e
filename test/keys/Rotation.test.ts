import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { httpApplication, issueKey, post, send } from "../support/Http.ts"

const rotate = (key: string, body = "{}", idempotencyKey = "once") =>
  post("/api/v1/keys/rotate", { key, body, headers: { "idempotency-key": idempotencyKey } })

const works = (key: string) =>
  Effect.map(send("/api/v1/usage", { headers: { "x-api-key": key } }), ({ status }) => status === 200)

const keyOf = ({ json }: { readonly json: { readonly [name: string]: unknown } }) => String(json["api_key"])

describe("a rotation", () => {
  layer(httpApplication())((it) => {
    it.effect(
      "replaces the key each time: after a lost response the old key can be rotated again, whatever the Idempotency-Key",
      () =>
        Effect.gen(function* () {
          const { secret } = yield* issueKey()
          const lost = yield* rotate(secret)
          const again = yield* rotate(secret)
          const shorter = yield* rotate(secret, '{"grace_hours":1}')
          for (const response of [lost, again, shorter]) {
            assert.strictEqual(response.status, 200)
            assert.isNull(response.headers.get("idempotent-replayed"))
          }
          assert.strictEqual(new Set([lost, again, shorter].map(keyOf)).size, 3)
          assert.isTrue(yield* works(keyOf(shorter)))
        })
    )

    it.effect(
      "may expire the old key immediately, even with an Idempotency-Key, and ignores one that is too long",
      () =>
        Effect.gen(function* () {
          const { secret } = yield* issueKey()
          const ended = yield* rotate(secret, '{"grace_hours":0}')
          assert.deepStrictEqual([yield* works(secret), yield* works(keyOf(ended))], [false, true])
          assert.strictEqual((yield* rotate(keyOf(ended), "{}", "x".repeat(1000))).status, 200)
        })
    )
  })

  it.effect("answers 429 rate_limited to a key that rotates too often in an hour; another key still can", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      // What is no rotation does not count.
      for (const wrong of ["{", '{"grace_hours":73}', '{"grace":1}']) {
        assert.strictEqual((yield* rotate(secret, wrong)).status, 400)
      }
      for (const _ of ["first", "second"]) assert.strictEqual((yield* rotate(secret)).status, 200)
      const refused = yield* rotate(secret)
      assert.include(refused.problem, { status: 429, code: "rate_limited", retryable: true })
      assert.isAbove(Number(refused.headers.get("retry-after")), 0)
      assert.strictEqual((yield* rotate((yield* issueKey()).secret)).status, 200)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* rotate(secret)).status, 200)
    }).pipe(Effect.provide(httpApplication({ env: { ROTATIONS_PER_HOUR: "2" } })))
  )

  it.effect("leaves neither a secret nor a response in the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { secret } = yield* issueKey()
      const key = keyOf(yield* rotate(secret))
      const secrets = yield* sql`SELECT * FROM key_secrets`
      assert.lengthOf(secrets, 2)
      assert.notInclude(JSON.stringify(secrets), key)
      assert.deepStrictEqual(yield* sql`SELECT * FROM idempotent_answers`, [])
    }).pipe(Effect.provide(httpApplication()))
  )
})
