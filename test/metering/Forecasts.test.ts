import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Result } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import { MalformedJson } from "../../src/input/InvalidInput.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { hashOfText } from "../../src/keys/KeySecrets.ts"
import { Forecasts } from "../../src/metering/Forecasts.ts"
import { operations } from "../../src/metering/Operations.ts"
import { application } from "../support/Application.ts"
import { httpApplication, issueKey, post } from "../support/Http.ts"
import { sample, sellOne } from "../support/Samples.ts"

describe("equal calls at the same time", () => {
  for (const [name, key, outcomes] of [
    ["wait for the first without an Idempotency-Key, and get its answer", undefined, ["charged", "replayed"]],
    ["are refused with one while the first is being answered", "once", ["IdempotencyInProgress", "charged"]]
  ] as const) {
    it.effect(`${name}; one is charged`, () =>
      Effect.gen(function* () {
        const { forecast } = yield* Forecasts
        const { id } = yield* issueKey(10)
        const call = forecast({
          keyId: id,
          idempotency: { operation: "POST /", key },
          request: Result.getOrThrow(operations.forecast.read(sample))
        }).pipe(
          Effect.match({
            onFailure: ({ _tag }) => _tag,
            onSuccess: ({ reference }) => (reference === undefined ? "replayed" : "charged")
          })
        )
        assert.sameMembers(yield* Effect.all([call, call], { concurrency: 2 }), [...outcomes])
        assert.strictEqual((yield* (yield* Credits).balance(id)).remaining, 9)
      }).pipe(Effect.provide(Forecasts.layer.pipe(Layer.provideMerge(application()))))
    )
  }
})

describe("sales", () => {
  it.effect("of a key are made soon, however many of another are waiting", () =>
    Effect.gen(function* () {
      const [greedy, other] = [yield* issueKey(500), yield* issueKey(1)]
      let charged = 0
      const sale = Effect.tap(sellOne(greedy.id), () => Effect.sync(() => charged++))
      const all = yield* Effect.forkChild(Effect.replicateEffect(sale, 500, { concurrency: "unbounded" }))
      yield* Effect.yieldNow
      yield* sellOne(other.id)
      // In order of arrival it would come after more than 400. On a busy machine, its batch may take longer than others.
      assert.isBelow(charged, 400)
      yield* Fiber.join(all)
      assert.strictEqual((yield* (yield* Credits).balance(greedy.id)).remaining, 0)
    }).pipe(Effect.provide(Forecasts.layer.pipe(Layer.provideMerge(application()))))
  )
})

describe("requests that are answered together", () => {
  it.effect("take no place from one that waits while all are taken", () =>
    Effect.gen(function* () {
      const { quickly } = yield* Forecasts
      const { id } = yield* issueKey(1000)
      const all = yield* Effect.forkChild(
        Effect.replicateEffect(Effect.result(sellOne(id)), 1000, { concurrency: "unbounded" })
      )
      yield* Effect.yieldNow
      const takeBack = quickly({ hash: "a", bucket: "another" }, operations.forecast.read(sample), {
        admit: () => false,
        onEnd: () => assert.fail("It was not admitted")
      })
      assert.isUndefined(takeBack)
      assert.lengthOf((yield* Fiber.join(all)).filter(Result.isSuccess), 1000)
    }).pipe(Effect.provide(Forecasts.layer.pipe(Layer.provideMerge(application()))))
  )

  it.effect("are looked up even if their body could not be read", () =>
    Effect.gen(function* () {
      const { quickly } = yield* Forecasts
      const { id, secret } = yield* issueKey(2)
      const read = Result.fail(new MalformedJson({ reason: "It is cut off" }))
      const ask = (hash: string) =>
        Effect.callback<readonly [outcome: string, isFound: boolean]>((resume) => {
          quickly({ hash, bucket: hash }, read, {
            admit: () => true,
            onEnd: (charged, found) =>
              resume(
                Effect.match(charged, {
                  onFailure: ({ _tag }) => [_tag, found !== undefined && Result.isSuccess(found)] as const,
                  onSuccess: () => ["charged", true] as const
                })
              )
          })
        })
      assert.deepStrictEqual(
        yield* Effect.all([ask(hashOfText(secret)), ask("unknown")], { concurrency: "unbounded" }),
        [
          ["MalformedJson", true],
          ["InvalidKey", false]
        ]
      )
      assert.strictEqual((yield* (yield* Credits).balance(id)).remaining, 2)
    }).pipe(Effect.provide(Forecasts.layer.pipe(Layer.provideMerge(application()))))
  )

  it.effect("are charged once for an Idempotency-Key, also while it is answered, and released afterwards", () =>
    Effect.gen(function* () {
      const { forecast, quickly } = yield* Forecasts
      const { id, secret } = yield* issueKey(10)
      const hash = hashOfText(secret)
      const ask = (key: string, request: object = sample) =>
        Effect.callback<string>((resume) => {
          quickly({ hash, bucket: hash }, operations.forecast.read(request), {
            idempotency: { operation: "POST /", key },
            admit: () => true,
            onEnd: (charged) =>
              resume(
                Effect.match(charged, {
                  onFailure: ({ _tag }) => _tag,
                  onSuccess: ({ reference }) => (reference === undefined ? "replayed" : "charged")
                })
              )
          })
        })
      const alone = Effect.match(
        forecast({
          keyId: id,
          idempotency: { operation: "POST /", key: "b" },
          request: Result.getOrThrow(operations.forecast.read(sample))
        }),
        { onFailure: ({ _tag }) => _tag, onSuccess: () => "charged" }
      )
      const together = { concurrency: "unbounded" } as const
      assert.deepStrictEqual(yield* Effect.all([ask("a"), ask("a"), alone, ask("b"), ask("c")], together), [
        "charged",
        "IdempotencyInProgress",
        "charged",
        "IdempotencyInProgress",
        "charged"
      ])
      const other = { ...sample, emails_sent: 1 }
      assert.deepStrictEqual(yield* Effect.all([ask("a"), ask("b"), ask("c", other)], together), [
        "replayed",
        "replayed",
        "IdempotencyMismatch"
      ])
      assert.strictEqual((yield* (yield* Credits).balance(id)).remaining, 7)
    }).pipe(Effect.provide(Forecasts.layer.pipe(Layer.provideMerge(application()))))
  )

  it.effect(
    "each have their own outcome: paid, without credits, of a revoked or inactive key, invalid, malformed",
    () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const keys = yield* Effect.replicateEffect(issueKey(2), 6)
        const [paid, empty, revoked, inactive, invalid, malformed] = keys
        assert.isDefined(paid)
        assert.isDefined(empty)
        assert.isDefined(revoked)
        assert.isDefined(inactive)
        assert.isDefined(invalid)
        assert.isDefined(malformed)
        // A secret that was found before is looked up with the charge.
        for (const { secret } of keys)
          assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).status, 200)
        yield* sellOne(empty.id)
        yield* apiKeys.revoke(revoked.id, "operator")
        yield* apiKeys.setKeyPlan(inactive.id, "inactive")
        const ask = ({ secret }: { readonly secret: string }, body = JSON.stringify(sample)) =>
          Effect.map(post("/api/v1/forecast", { key: secret, body }), ({ headers, json, status }) => [
            status,
            json["code"],
            headers.get("ratelimit")
          ])
        const outcomes = yield* Effect.all(
          [
            ask(paid),
            ask(empty),
            ask(revoked, "{"),
            ask(inactive, "{"),
            ask(invalid, '{"reply_rate":500}'),
            ask(malformed, "{")
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes, [
          [200, undefined, '"credits";r=0'],
          [429, "usage_exhausted", '"credits";r=0'],
          [401, "key_revoked", null],
          [403, "plan_inactive", '"credits";r=1'],
          [400, "invalid_input", '"credits";r=1'],
          [400, "malformed_json", '"credits";r=1']
        ])
      }).pipe(Effect.provide(Forecasts.layer.pipe(Layer.provideMerge(httpApplication()))))
  )
})
