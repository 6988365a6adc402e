import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect, Exit, Layer, Logger, Metric, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as AuditJob from "../../../src/credits/audit/AuditJob.ts"
import { AuditStore } from "../../../src/credits/audit/AuditStore.ts"
import { type Audit, LedgerAudit, type LedgerFault, piecesBy } from "../../../src/credits/audit/LedgerAudit.ts"
import { memoryStores, settings } from "../../support/Application.ts"

/** A Friday. */
const friday = DateTime.makeUnsafe("2026-11-27T12:00:00Z").epochMilliseconds

/** An audit of three pieces of a minute each, and those that were checked: in which minute, and after which key or entry. */
const makeAudit = (faults: ReadonlyArray<LedgerFault> = []) => {
  const pieces: Array<string> = []
  let isAway = false
  const advance = Effect.fnUntraced(function* ({ millis, ...audit }: Audit) {
    pieces.push(`${((yield* Clock.currentTimeMillis) - friday) / 60_000} ${audit.keysTo ?? audit.entriesTo}`)
    if (isAway) return yield* Effect.die("the database is away")
    const next: Audit = { ...audit, millis: millis + 60_000 }
    if (audit.keysTo === "") return { ...next, keysTo: "key_m", keys: 1 }
    if (audit.keysTo !== null) return { ...next, keysTo: null, keys: 2 }
    return { ...next, entriesTo: null, entries: 3, faultCount: faults.length, faults }
  })
  return {
    pieces,
    setAway: (away: boolean) => {
      isAway = away
    },
    layer: Layer.succeed(LedgerAudit, LedgerAudit.make(piecesBy(advance)))
  }
}

/** Starts an instance of the service, and returns what stops it. */
const start = Effect.fnUntraced(function* (
  audit: Layer.Layer<LedgerAudit>,
  logger: Layer.Layer<never> = Logger.layer([])
) {
  const scope = yield* Scope.make()
  const instance = AuditJob.layer.pipe(Layer.provide(Layer.mergeAll(audit, AuditStore.layer, logger)), Layer.fresh)
  yield* Layer.buildWithScope(instance, scope)
  yield* TestClock.adjust(0)
  return Scope.close(scope, Exit.void)
})

const test = (what: string, effect: Effect.Effect<void, unknown, Layer.Success<typeof memoryStores>>) =>
  it.effect(what, () =>
    Effect.andThen(TestClock.setTime(friday), effect).pipe(Effect.provide(memoryStores.pipe(Layer.provide(settings()))))
  )

describe("the audit of a running service", () => {
  test(
    "rests after each piece for as long as it took, and runs again at 03:00 UTC",
    Effect.gen(function* () {
      const { layer, pieces } = makeAudit()
      yield* start(layer)
      yield* TestClock.adjust("14 hours")
      assert.deepStrictEqual(pieces, ["0 ", "1 key_m", "2 0"])
      yield* TestClock.adjust("70 minutes")
      assert.deepStrictEqual(pieces.slice(3), ["902 ", "903 key_m", "904 0"])
    })
  )

  test(
    "does nothing at the start if it has ended, and is not run by two instances",
    Effect.gen(function* () {
      const { layer, pieces } = makeAudit()
      const stops = [yield* start(layer), yield* start(layer)]
      yield* TestClock.adjust("1 hour")
      yield* Effect.all(stops)
      yield* start(layer)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(pieces, ["0 ", "1 key_m", "2 0"])
    })
  )

  test(
    "goes on where another instance was stopped, or ten minutes after a failure",
    Effect.gen(function* () {
      const { layer, pieces, setAway } = makeAudit()
      const stop = yield* start(layer)
      yield* TestClock.adjust("30 seconds")
      yield* stop
      setAway(true)
      yield* start(layer)
      assert.deepStrictEqual(pieces, ["0 ", "0.5 key_m"])
      setAway(false)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(pieces.slice(2), ["10.5 key_m", "11.5 0"])
    })
  )

  /** The log of an audit with these faults, and the metrics after it. */
  const audited = Effect.fnUntraced(function* (faults: ReadonlyArray<LedgerFault>) {
    const lines: Array<unknown> = []
    const logger = Logger.layer([Logger.make<unknown, void>(({ message }) => lines.push(message))])
    yield* start(makeAudit(faults).layer, logger)
    yield* TestClock.adjust("2 minutes")
    const metrics = yield* Metric.snapshot
    const gauge = (id: string) => {
      const found = metrics.find((metric) => metric.id === `outreach_forecast.ledger.${id}`)
      return found?.type === "Gauge" ? found.state.value : undefined
    }
    return { lines: lines.flat(), faults: gauge("faults"), verified: gauge("verified") }
  })

  test(
    "reports that the ledger is correct, and when it was checked",
    Effect.gen(function* () {
      const verified = friday / 1000 + 120
      assert.deepStrictEqual(yield* audited([]), { lines: ["ledger verified"], faults: 0, verified })
    })
  )

  test(
    "logs ten faults and their total, once",
    Effect.gen(function* () {
      const fault = { keyId: "key_ada", what: "balance", expected: 1, found: 2 }
      const { faults, lines } = yield* audited(Array.from({ length: 50 }, () => fault))
      assert.deepStrictEqual(lines, [...Array.from({ length: 10 }, () => "ledger is wrong"), "ledger faults in total"])
      assert.strictEqual(faults, 50)
    })
  )
})
