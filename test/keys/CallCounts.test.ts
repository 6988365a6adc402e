import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { type CallCount, CallCounting, CallCounts, storing } from "../../src/keys/CallCounts.ts"
import { type AnsweredRequest, RequestLog } from "../../src/observability/Logging.ts"
import { Retention } from "../../src/retention/Retention.ts"
import { applications, settings, stores, storesWith } from "../support/Application.ts"

const noon = 1_795_435_200_000

const count = (changes: Partial<CallCount> = {}): CallCount => ({
  prefix: "ofk_test_adaadaad",
  day: "2026-11-23",
  code: "usage_exhausted",
  calls: 1,
  lastAt: noon,
  lastRequestId: "first",
  ...changes
})

for (const [name, store] of Object.entries(stores)) {
  describe(`CallCounts in ${name}`, () => {
    it.effect("adds up the calls of a key by day and code, and keeps the last request of each", () =>
      Effect.gen(function* () {
        const counts = yield* CallCounts
        yield* counts.add([count(), count({ code: "", calls: 7, lastRequestId: "success" })])
        // Another instance wrote an earlier call late, and then a later one.
        yield* counts.add([count({ lastAt: noon - 5, lastRequestId: "earlier" })])
        yield* counts.add([
          count({ calls: 2, lastAt: noon + 9, lastRequestId: "last" }),
          count({ prefix: "ofk_test_bobbobbo", lastRequestId: "bob's" }),
          count({ day: "2026-11-22", lastAt: noon - 86_400_000 })
        ])
        const exhausted = count({ calls: 4, lastAt: noon + 9, lastRequestId: "last" })
        assert.deepStrictEqual(yield* counts.of([count().prefix, "ofk_test_nobodyno"]), [
          exhausted,
          count({ code: "", calls: 7, lastRequestId: "success" }),
          count({ day: "2026-11-22", lastAt: noon - 86_400_000 })
        ])
        assert.deepStrictEqual(yield* counts.of([]), [])
        assert.deepStrictEqual(yield* counts.findRequest("last"), Option.some(exhausted))
        assert.deepStrictEqual(yield* counts.findRequest("earlier"), Option.none())
      }).pipe(Effect.provide(store))
    )
  })
}

for (const name of ["SQLite", "Postgres"] as const) {
  it.effect(`the counts in ${name} are deleted after 30 days`, () =>
    Effect.gen(function* () {
      const counts = yield* CallCounts
      const { purge } = yield* Retention
      yield* TestClock.setTime(noon)
      yield* counts.add([count(), count({ day: "2026-11-24" })])
      yield* TestClock.adjust("29 days")
      assert.deepStrictEqual(yield* purge, {})
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* purge, { callCounts: 1 })
      assert.deepStrictEqual(yield* counts.of([count().prefix]), [count({ day: "2026-11-24" })])
    }).pipe(Effect.provide(applications[name]()))
  )
}

/** A request that a key's owner was refused. */
const answered = (changes: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  at: noon,
  requestId: "id",
  method: "POST",
  route: "/api/v1/forecast",
  status: 429,
  millis: 1,
  key: "ofk_test_adaadaad",
  isKeyFound: true,
  code: "usage_exhausted",
  client: undefined,
  charge: undefined,
  ...changes
})

describe("counting calls", () => {
  const counting = storing.pipe(Layer.provideMerge(CallCounting.layer))

  it.effect("stores counts once a minute and when it ends, and still logs each request", () =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      const scope = yield* Scope.make()
      const layer = counting.pipe(
        Layer.provide(Layer.succeed(RequestLog, ({ requestId }) => void logged.push(requestId)))
      )
      const context = yield* Layer.buildWithScope(layer, scope)
      const note = Context.get(context, RequestLog)
      const counts = yield* CallCounts
      const stored = Effect.map(counts.of([answered().key ?? ""]), (found) =>
        found.map(({ calls, code, day }) => [day, code, calls])
      )
      yield* TestClock.adjust(0)
      note(answered({ requestId: "a" }))
      note(answered({ requestId: "b" }))
      note(answered({ requestId: "c", status: 200, code: undefined, at: noon + 1 }))
      note(answered({ requestId: "d", status: 499, code: undefined, at: noon + 2 }))
      note(answered({ requestId: "e", key: undefined, isKeyFound: false }))
      assert.deepStrictEqual(yield* stored, [])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* stored, [
        ["2026-11-23", "499", 1],
        ["2026-11-23", "", 1],
        ["2026-11-23", "usage_exhausted", 2]
      ])
      note(answered({ at: noon + 43_200_000 }))
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual((yield* stored)[0], ["2026-11-24", "usage_exhausted", 1])
      assert.deepStrictEqual(logged, ["a", "b", "c", "d", "e", "id"])
    }).pipe(Effect.provide(stores.SQLite))
  )

  it.effect("counts at most 1,000 unknown keys per day, and always those that exist", () =>
    Effect.gen(function* () {
      const note = yield* RequestLog
      const counts = yield* CallCounts
      const stranger = (i: number) => answered({ key: `ofk_test_${i}`, isKeyFound: false, code: "invalid_key" })
      note(answered())
      for (let i = 0; i < 1100; i++) note(stranger(i))
      // The key is no longer looked up but was found before, like a key with too many requests.
      note(answered({ isKeyFound: false, code: "rate_limited" }))
      note(answered({ key: "ofk_test_found" }))
      yield* TestClock.adjust("1 minute")
      const known = yield* counts.of(["ofk_test_adaadaad", "ofk_test_found", "ofk_test_999", "ofk_test_1000"])
      assert.sameMembers(
        known.map(({ code, prefix }) => `${prefix} ${code}`),
        [
          "ofk_test_adaadaad usage_exhausted",
          "ofk_test_adaadaad rate_limited",
          "ofk_test_found usage_exhausted",
          "ofk_test_999 invalid_key"
        ]
      )
    }).pipe(Effect.provide(counting.pipe(Layer.provideMerge(stores.SQLite))))
  )

  it.effect("counts nothing twice and loses nothing while the database is down", () =>
    Effect.gen(function* () {
      const written: Array<ReadonlyArray<CallCount>> = []
      let isAway = true
      const add = (counts: ReadonlyArray<CallCount>) =>
        Effect.suspend(() => (isAway ? Effect.die("away") : Effect.sync(() => void written.push(counts))))
      const layer = counting.pipe(Layer.provide(storesWith(CallCounts, { add })), Layer.provide(settings()))
      yield* Effect.gen(function* () {
        const note = yield* RequestLog
        note(answered())
        yield* TestClock.adjust("1 minute")
        note(answered())
        isAway = false
        yield* TestClock.adjust("2 minutes")
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(
        written.map((counts) => counts.map(({ calls }) => calls)),
        [[2]]
      )
    })
  )
})
