import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { KeyStore } from "../../../src/keys/KeyStore.ts"
import * as Server from "../../../src/http/server/Server.ts"
import { applications } from "../../support/Application.ts"
import { httpApplication, issueKey, post, send } from "../../support/Http.ts"

const rotate = (key: string, idempotencyKey?: string, body = "{}") =>
  post("/api/v1/keys/rotate", {
    key,
    body,
    headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }
  })

const works = (key: string) =>
  Effect.map(send("/api/v1/usage", { headers: { "x-api-key": key } }), ({ status }) => status === 200)

describe("a rotation that is sent again", () => {
  layer(httpApplication())((it) => {
    it.effect("gets the same key again for ten minutes, and the key was rotated once", () =>
      Effect.gen(function* () {
        const store = yield* KeyStore
        const { id, secret } = yield* issueKey()
        const first = yield* rotate(secret, "once")
        const second = yield* rotate(secret, "once", '{"grace_hours":24}')
        assert.strictEqual(second.text, first.text)
        assert.deepStrictEqual(
          [first, second].map(({ headers }) => headers.get("idempotent-replayed")),
          [null, "true"]
        )
        assert.lengthOf(yield* store.secretsOf(id), 2)
        const next = String(first.json["api_key"])
        assert.isTrue(yield* works(next))
        yield* TestClock.adjust("599 seconds")
        assert.strictEqual((yield* rotate(next, "once")).text, first.text)
      })
    )

    it.effect("409 already_rotated after that: nobody has the new key, and the old one rotates again", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const { json } = yield* rotate(secret, "once")
        yield* TestClock.adjust("10 minutes")
        const { problem } = yield* rotate(secret, "once")
        assert.include(problem, { status: 409, code: "already_rotated", retryable: false })
        assert.include(problem.message, String(json["old_key_valid_until"]))
        assert.isTrue(yield* works(String((yield* rotate(secret, "again")).json["api_key"])))
      })
    )

    it.effect("422 for another grace period under the same Idempotency-Key", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        yield* rotate(secret, "once")
        const { problem } = yield* rotate(secret, "once", '{"grace_hours":1}')
        assert.include(problem, { status: 422, code: "idempotency_mismatch" })
      })
    )

    it.effect("400 with an Idempotency-Key and no grace period: the old key could not send it again", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const { problem } = yield* rotate(secret, "once", '{"grace_hours":0}')
        assert.include(problem, { status: 400, code: "invalid_input" })
        assert.isTrue(yield* works(secret))
        assert.strictEqual((yield* rotate(secret, undefined, '{"grace_hours":0}')).status, 200)
        assert.isFalse(yield* works(secret))
      })
    )
  })
})

describe("a rotation", () => {
  it.effect("429 rate_limited for one key too often in an hour; a repeated one does not count, nor another key", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      for (const name of ["first", "first", "second"]) {
        assert.strictEqual((yield* rotate(secret, name)).status, 200, name)
      }
      const refused = yield* rotate(secret, "third")
      assert.include(refused.problem, { status: 429, code: "rate_limited", retryable: true })
      assert.isAbove(Number(refused.headers.get("retry-after")), 0)
      assert.strictEqual((yield* rotate((yield* issueKey()).secret)).status, 200)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* rotate(secret, "third")).status, 200)
    }).pipe(Effect.provide(httpApplication({ env: { ROTATIONS_PER_HOUR: "2" } })))
  )

  it.effect("leaves no secret in the database, neither with an Idempotency-Key nor without", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { secret } = yield* issueKey()
      const { json } = yield* rotate(secret, "once")
      const rows = [...(yield* sql`SELECT * FROM idempotent_answers`), ...(yield* sql`SELECT * FROM key_secrets`)]
      assert.lengthOf(rows, 3)
      assert.notInclude(JSON.stringify(rows), String(json["api_key"]))
    }).pipe(Effect.provide(Server.layer.pipe(Layer.provideMerge(applications.SQLite()))))
  )
})
