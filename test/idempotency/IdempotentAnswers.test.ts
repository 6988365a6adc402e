import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { IdempotentAnswers, type IdempotentAnswer } from "../../src/idempotency/IdempotentAnswers.ts"
import { stores } from "../support/Application.ts"

const answer = (key: string, createdAt: number, changes: Partial<IdempotentAnswer> = {}): IdempotentAnswer => ({
  scope: "key_a",
  operation: "POST /api/v1/forecast",
  key,
  fingerprint: "f",
  answer: `{"for":"${key}"}`,
  createdAt,
  ...changes
})

for (const [name, store] of Object.entries(stores)) {
  describe(`IdempotentAnswers in ${name}`, () => {
    layer(store)((it) => {
      it.effect("finds responses newer than a given time by scope, operation and key, in the order requested", () =>
        Effect.gen(function* () {
          const answers = yield* IdempotentAnswers
          const one = answer('a"b', 10)
          const two = answer("b", 20)
          yield* answers.put([one, two])
          yield* answers.put([])
          const unknown = [
            answer("c", 0),
            answer("b", 0, { scope: "key_b" }),
            answer("b", 0, { operation: "POST /api/v1/orders" })
          ]
          assert.deepStrictEqual(yield* answers.find([two, ...unknown, one, two], 9), [
            two,
            undefined,
            undefined,
            undefined,
            one,
            two
          ])
          assert.deepStrictEqual(yield* answers.find([one, two], 10), [undefined, two])
          assert.deepStrictEqual(yield* answers.find([], 0), [])
        })
      )

      it.effect("replaces a response, whose ID grows so that old ones are deleted by ID", () =>
        Effect.gen(function* () {
          const answers = yield* IdempotentAnswers
          const old = [answer("old0", 100), answer("old1", 101)]
          yield* answers.put(old)
          const renewed = answer("old0", 5000, { fingerprint: "g", answer: "{}" })
          yield* answers.put([renewed])
          assert.deepStrictEqual(yield* answers.find(old, 0), [renewed, old[1]])
          const sql = yield* SqlClient.SqlClient
          const rows = yield* sql`SELECT idempotency_key FROM idempotent_answers WHERE scope = 'key_a' ORDER BY id`
          assert.deepStrictEqual(
            rows.slice(-2).map(({ idempotencyKey }) => idempotencyKey),
            ["old1", "old0"]
          )
        })
      )
    })
  })
}
