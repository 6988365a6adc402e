import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Context, Effect, Fiber, Latch, Layer, Result } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { Transaction } from "../../src/database/Transaction.ts"
import { Forecasts } from "../../src/metering/Forecasts.ts"
import { applicationsWith } from "../support/Application.ts"
import { makeHeldWorkers } from "../support/HeldWorkers.ts"
import { httpApplication, issueKey, post, send, server } from "../support/Http.ts"
import { until } from "../support/Process.ts"
import { type ServiceResponse } from "../support/Requests.ts"
import { measured, sellOne } from "../support/Samples.ts"

/** Charges wait for an effect before their transaction begins: during one, SQLite does not even look up a key. */
class Held extends Context.Service<Held, { readonly before: Array<Effect.Effect<void>> }>()(
  "outreach-forecast/test/Held"
) {
  static readonly layer = Layer.sync(Held, () => ({ before: [] }))
}

const heldCharges = Layer.effect(
  Transaction,
  Effect.gen(function* () {
    const { before } = yield* Held
    const transaction = yield* Transaction
    const runLocking: Transaction["Service"]["runLocking"] = (effect) =>
      Effect.suspend(() => before.shift() ?? Effect.void).pipe(Effect.andThen(transaction.runLocking(effect)))
    return Transaction.of({ ...transaction, runLocking })
  })
).pipe(Layer.provideMerge(Held.layer))

const { SQLite } = applicationsWith<Held>((stores) => heldCharges.pipe(Layer.provideMerge(stores)))
const application = Layer.merge(server, Forecasts.layer).pipe(Layer.provideMerge(SQLite))

describe("Overload", () => {
  it.effect("answers 503 with Retry-After to anyone while 1,000 debits are in flight or waiting, at no cost", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const held = yield* Held
      const { verify } = yield* LedgerAudit
      const keys = [yield* issueKey(2000), yield* issueKey(2000)]
      const other = yield* issueKey(2)
      const forecast = (key: string) => post("/api/v1/forecast", { key })
      for (const { secret } of [...keys, other]) assert.strictEqual((yield* forecast(secret)).status, 200)
      const isHeld = yield* Latch.make()
      const hold = yield* Latch.make()
      held.before.push(Effect.andThen(isHeld.open, hold.await))
      const first = yield* Effect.forkChild(forecast(other.secret))
      yield* isHeld.await
      const charge = ({ id }: { readonly id: KeyId }) => Effect.result(sellOne(id))
      // All of them ask at once: over HTTP, 1,100 connections would take a busy machine too long.
      const charges = yield* Effect.forkChild(
        Effect.forEach(
          Arr.range(1, 550).flatMap(() => keys),
          charge,
          { concurrency: "unbounded" }
        ),
        { startImmediately: true }
      )
      for (const { secret } of keys) {
        const { headers, problem, status } = yield* forecast(secret)
        assert.strictEqual(status, 503)
        assert.strictEqual(headers.get("retry-after"), "1")
        assert.include(problem, { code: "unavailable", retryable: true })
      }
      yield* hold.open
      assert.strictEqual((yield* Fiber.join(first)).status, 200)
      const { length } = (yield* Fiber.join(charges)).filter(Result.isSuccess)
      assert.strictEqual(length, 999)
      // Both keys had the same share of the slots.
      const [one = 0, another = 0] = yield* Effect.forEach(keys, ({ id }) =>
        Effect.map(credits.balance(id), ({ remaining }) => 1999 - remaining)
      )
      assert.isAtMost(Math.abs(one - another), 1)
      assert.strictEqual(one + another, length)
      assert.deepInclude(yield* verify, { entries: 7 + length, faults: [] })
    }).pipe(Effect.provide(application))
  )

  it.effect("answers 503 with Retry-After to a key that has 100 forecasts waiting for a worker, at no cost", () => {
    const { arrived, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const credits = yield* Credits
      const { id, secret } = yield* issueKey(200)
      const other = yield* issueKey(1)
      const forecastOf = (key: string) => post("/api/v1/forecast", { key, body: JSON.stringify(measured) })
      const forecast = forecastOf(secret)
      assert.strictEqual((yield* forecast).status, 200)
      yield* holdAfter(0)
      const before = arrived()
      const responses: Array<ServiceResponse> = []
      const others = yield* Effect.forkChild(
        Effect.replicateEffect(
          Effect.map(forecast, (response) => responses.push(response)),
          110,
          { concurrency: "unbounded", discard: true }
        )
      )
      yield* until(() => responses.length === 10)
      for (const { headers, problem, status } of responses) {
        assert.strictEqual(status, 503)
        assert.strictEqual(headers.get("retry-after"), "1")
        assert.strictEqual(problem.code, "unavailable")
      }
      // Fast computations wait for no worker, and another key has its own places.
      assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).status, 200)
      const ofOther = yield* Effect.forkChild(forecastOf(other.secret))
      yield* until(() => arrived() === before + 100 + 1)
      yield* release
      yield* Fiber.join(others)
      assert.strictEqual((yield* Fiber.join(ofOther)).status, 200)
      assert.lengthOf(
        responses.filter(({ status }) => status === 200),
        100
      )
      assert.strictEqual((yield* credits.balance(id)).remaining, 98)
    }).pipe(Effect.provide(httpApplication({ workers })))
  })

  it.effect("does not compute or charge a queued forecast whose client has disconnected", () => {
    const { arrived, givenUp, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const credits = yield* Credits
      const { id, secret } = yield* issueKey(200)
      yield* holdAfter(0)
      const disconnect = new AbortController()
      const call = send("/api/v1/forecast", {
        method: "POST",
        headers: { "x-api-key": secret, "content-type": "application/json" },
        body: JSON.stringify(measured),
        signal: disconnect.signal
      })
      yield* Effect.forkChild(Effect.replicateEffect(Effect.exit(call), 60, { concurrency: "unbounded" }))
      yield* until(() => arrived() === 60)
      disconnect.abort()
      // One was started, and is completed.
      yield* until(() => givenUp() === 59)
      yield* release
      yield* until(() => givenUp() === 60)
      // They leave nothing behind: as many can be computed again.
      const forecast = post("/api/v1/forecast", { key: secret, body: JSON.stringify(measured) })
      const responses = yield* Effect.replicateEffect(forecast, 60, { concurrency: "unbounded" })
      assert.isTrue(responses.every(({ status }) => status === 200))
      assert.strictEqual((yield* credits.balance(id)).remaining, 140)
    }).pipe(Effect.provide(httpApplication({ workers })))
  })
})
