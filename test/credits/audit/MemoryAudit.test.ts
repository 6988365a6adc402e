import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import { AuditStore } from "../../../src/credits/audit/AuditStore.ts"
import { atStart, LedgerAudit } from "../../../src/credits/audit/LedgerAudit.ts"
import { Ledger, type LedgerEntry, MemoryLedger, monthKey } from "../../../src/credits/Ledger.ts"
import { MemoryTables } from "../../../src/database/MemoryTables.ts"
import { KeyId } from "../../../src/KeyId.ts"
import { Progress, type Stage } from "../../../src/observability/Progress.ts"

const keyId = KeyId.make("key_ada")

/** A ledger of three entries, and what looks at it. */
const ledgerInMemory = Layer.effectDiscard(
  Effect.gen(function* () {
    const ledger = yield* Ledger
    yield* ledger.append({ keyId, kind: "adjustment", delta: 10, reference: "grant", createdAt: 0 })
    const debits = [1, 3].map((cost) => ({ keyId, cost, reference: `of ${cost}` }))
    yield* ledger.debit(debits, { createdAt: 0, month: "1970-01" })
  })
).pipe(
  Layer.provideMerge(Layer.mergeAll(Ledger.layerMemory, LedgerAudit.layer, MemoryLedger.layer)),
  Layer.provide(AuditStore.layerMemory),
  Layer.provide(MemoryTables.layer)
)

const verify = Effect.flatMap(LedgerAudit, (audit) => audit.verify(TestClock.adjust("5 millis")))

const entry = (id: number, fields: Partial<LedgerEntry>) => (ledger: MemoryLedger["Service"]) => {
  const [reference, found] = [...ledger.entries][id - 1] ?? assert.fail("There is no such entry")
  ledger.entries.set(reference, { ...found, ...fields })
}

/** What is done to the rows, and what the check says of it. */
const damages: ReadonlyArray<{
  readonly what: string
  readonly damage: (ledger: MemoryLedger["Service"]) => void
  readonly faults: ReadonlyArray<readonly [string, string | number, string | number]>
}> = [
  {
    what: "a balance that is not the sum of the ledger",
    damage: ({ balances }) => balances.set(keyId, { remaining: 9, granted: 10 }),
    faults: [["balance", 6, 9]]
  },
  {
    what: "credits granted that no entry gave",
    damage: ({ balances }) => balances.set(keyId, { remaining: 6, granted: 11 }),
    faults: [["granted", 10, 11]]
  },
  {
    what: "entries without a balance",
    damage: ({ balances }) => balances.clear(),
    faults: [
      ["balance", 6, "none"],
      ["granted", 10, "none"]
    ]
  },
  {
    what: "a balance without entries",
    damage: ({ entries }) => entries.clear(),
    faults: [
      ["balance", 0, 6],
      ["granted", 0, 10],
      ["requests in 1970-01", 0, 4]
    ]
  },
  {
    what: "an entry that has not the sum up to it",
    damage: entry(2, { balanceAfter: 8 }),
    faults: [["balance_after of entry of 1", 9, 8]]
  },
  {
    what: "an entry below 0",
    damage: entry(2, { balanceAfter: -1 }),
    faults: [
      ["balance_after of entry of 1", 9, -1],
      ["balance_after of entry of 1", "at least 0", -1]
    ]
  },
  {
    what: "a forecast that gave a credit",
    damage: entry(3, { delta: 1 }),
    faults: [
      ["balance_after of entry of 3", 10, 6],
      ["delta of entry of 3, a forecast", -1, 1],
      ["balance", 10, 6],
      ["requests in 1970-01", 0, 4]
    ]
  },
  {
    what: "a month that is not counted",
    damage: ({ months }) => months.clear(),
    faults: [["requests in 1970-01", 4, 0]]
  },
  {
    what: "a forecast that was moved to another month",
    damage: entry(3, { createdAt: 1_800_000_000_000 }),
    faults: [
      ["requests in 1970-01", 1, 4],
      ["requests in 2027-01", 3, 0]
    ]
  }
]

describe("LedgerAudit of a ledger in memory", () => {
  for (const { damage, faults, what } of damages) {
    it.effect(`finds ${what}`, () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* verify, { keys: 1, entries: 3, faults: [] })
        damage(yield* MemoryLedger)
        const found = faults.map(([what, expected, found]) => ({ keyId, what, expected, found }))
        assert.deepInclude(yield* verify, { faultCount: faults.length, faults: found })
      }).pipe(Effect.provide(ledgerInMemory))
    )
  }

  it.effect("says how far it is, and how long it took", () => {
    const stages: Array<Stage> = []
    return Effect.gen(function* () {
      yield* TestClock.setTime(7_000)
      assert.include(yield* verify, { millis: 5 })
      assert.deepStrictEqual(stages, [{ work: "Checking the ledger", done: 3, total: 3 }])
    }).pipe(
      Effect.provideService(Progress, { isShown: true, report: (stage) => stages.push(stage) }),
      Effect.provide(ledgerInMemory)
    )
  })
})

describe("the audit at the start", () => {
  /** What it logs, and what the metrics say after it. */
  const audited = Effect.gen(function* () {
    const lines: Array<unknown> = []
    const logger = Logger.layer([Logger.make<unknown, void>(({ message }) => lines.push(message))])
    yield* TestClock.setTime(7_000)
    yield* Effect.provide(Layer.build(atStart), logger)
    yield* TestClock.adjust("1 minute")
    const metrics = yield* Metric.snapshot
    const gauge = (id: string) => {
      const found = metrics.find((metric) => metric.id === `outreach_forecast.ledger.${id}`)
      return found?.type === "Gauge" ? found.state.value : undefined
    }
    return { lines: lines.flat(), faults: gauge("faults"), verified: gauge("verified") }
  })

  it.effect("says that the ledger is right, and when it was", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* audited, { lines: ["ledger verified"], faults: 0, verified: 7.25 })
    }).pipe(Effect.provide(ledgerInMemory))
  )

  it.effect("says ten faults and how many there are, once", () =>
    Effect.gen(function* () {
      const { months } = yield* MemoryLedger
      for (let i = 0; i < 60; i++) months.set(monthKey(keyId, `no month ${i}`), 1)
      assert.deepInclude(yield* verify, { faultCount: 60 })
      const { faults, lines } = yield* audited
      assert.deepStrictEqual(lines, [...Array.from({ length: 10 }, () => "ledger is wrong"), "ledger is wrong in all"])
      assert.strictEqual(faults, 60)
    }).pipe(Effect.provide(ledgerInMemory))
  )
})
