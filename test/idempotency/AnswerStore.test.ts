import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AnswerStore, type StoredAnswer } from "../../src/idempotency/AnswerStore.ts"
import { stores } from "../support/Application.ts"

const answer = (key: string, createdAt: number, changes: Partial<StoredAnswer> = {}): StoredAnswer => ({
  scope: "key_a",
  operation: "POST /api/v1/forecast",
  key,
  fingerprint: "f",
  answer: `{"for":"${key}"}`,
  createdAt,
  ...changes
})

for (const [name, store] of Object.entries(stores)) {
  describe(`AnswerStore in ${name}`, () => {
    layer(store)((it) => {
      it.effect("finds answers by scope, operation and key, in the order asked, after a time", () =>
        Effect.gen(function* () {
          const answers = yield* AnswerStore
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

      it.effect("replaces an answer, and purges old ones only", () =>
        Effect.gen(function* () {
          const answers = yield* AnswerStore
          const old = Array.from({ length: 1200 }, (_, i) => answer(`old${i}`, 100 + i))
          yield* answers.put(old)
          const renewed = answer("old0", 5000, { fingerprint: "g", answer: "{}" })
          yield* answers.put([renewed])
          let purged = 0
          for (let count = 1; count > 0; purged += count) count = yield* answers.purge(100 + 1198, 9999)
          assert.isAtLeast(purged, 1198)
          assert.deepStrictEqual(yield* answers.find([renewed, ...old.slice(1197)], 0), [
            renewed,
            undefined,
            undefined,
            old[1199]
          ])
        })
      )

      it.effect("goes on purging after a clock that was ahead", () =>
        Effect.gen(function* () {
          const answers = yield* AnswerStore
          const day = 86_400_000
          const purgeAll = (now: number) =>
            Effect.repeat(answers.purge(now - day, now), { while: (deleted) => deleted > 0 })
          yield* answers.put(Array.from({ length: 600 }, (_, i) => answer(`ahead${i}`, 40 * day)))
          yield* answers.put([answer("after", 10)])
          // Those from the future are looked at in parts, and each part a day later.
          for (const days of [1, 3, 5, 7]) yield* purgeAll(days * day)
          assert.deepStrictEqual(
            yield* answers.find([answer("ahead0", 0), answer("ahead599", 0), answer("after", 0)], 0),
            [undefined, undefined, undefined]
          )
        })
      )
    })
  })
}
