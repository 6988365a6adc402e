import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Credits } from "../../src/credits/Credits.ts"
import { Grants } from "../../src/credits/Grants.ts"
import type { KeyId, SubKeyId } from "../../src/KeyStatus.ts"
import { SubKeys } from "../../src/extensions/subkeys/SubKeys.ts"
import { applications } from "../support/Application.ts"
import { issueKey } from "../support/Http.ts"
import { oneCredit } from "../support/Samples.ts"

const at = (time: string) => TestClock.setTime(DateTime.makeUnsafe(time).epochMilliseconds)

const forecasts = Effect.fnUntraced(function* (keyId: KeyId, count: number, subKeyId?: SubKeyId) {
  const { charge } = yield* Credits
  yield* Effect.replicateEffect(charge(keyId, { ...oneCredit(), subKeyId }), count, { concurrency: "unbounded" })
})

/** The days of a page in short: each line with its forecasts, the number of its entries, and their balances. */
const pageOf = Effect.fnUntraced(function* (keyId: KeyId, before?: string) {
  const { days, isMore } = yield* (yield* Credits).ledgerDays(keyId, before)
  return {
    isMore,
    days: days.map(({ changes, day, forecasts }) => ({
      day,
      changes: changes.map(({ delta, kind }) => `${kind} ${delta}`),
      forecasts: forecasts
        .map(({ entries, requests, subKey }) => {
          const balances = entries.map(({ balanceAfter }) => balanceAfter)
          return `${subKey ?? "itself"} ${requests}: ${entries.length} from ${balances[0]} to ${balances.at(-1)}`
        })
        .toSorted()
    }))
  }
})

for (const [name, application] of Object.entries(applications)) {
  describe(`The ledger by day over ${name}`, () => {
    it.effect(
      "shows each day completely: a row for the key and each sub-key, with its newest 100 entries, and other changes",
      () =>
        Effect.gen(function* () {
          yield* at("2026-11-20T10:00:00Z")
          const { id } = yield* issueKey(1000)
          const { create } = yield* SubKeys
          const crm = (yield* create(id, { name: "CRM", monthlyLimit: null })).subKey.id
          const agent = (yield* create(id, { name: "Agent", monthlyLimit: null })).subKey.id
          yield* forecasts(id, 1, crm)
          // Enough that the entry of CRM is not among those that are read before it.
          yield* forecasts(id, 600)
          yield* at("2026-11-20T23:59:59.999Z")
          yield* forecasts(id, 2, agent)
          yield* at("2026-11-21T00:00:00Z")
          yield* forecasts(id, 3, crm)
          yield* (yield* Credits).charge(id, { ...oneCredit(), cost: 4 })
          yield* forecasts(id, 1, crm)
          const { adjust } = yield* Grants
          yield* adjust(id, -90)
          yield* at("2026-11-23T12:00:00Z")
          yield* adjust(id, 7)
          // Another key's entries are in the same ledger.
          yield* forecasts((yield* issueKey(10)).id, 5)
          assert.deepStrictEqual(yield* pageOf(id), {
            isMore: false,
            days: [
              { day: "2026-11-23", changes: ["adjustment 7"], forecasts: [] },
              {
                day: "2026-11-21",
                changes: ["adjustment -90"],
                forecasts: ["CRM 4: 4 from 389 to 396", "itself 4: 1 from 390 to 390"]
              },
              {
                day: "2026-11-20",
                changes: ["adjustment 1000"],
                forecasts: ["Agent 2: 2 from 397 to 398", "CRM 1: 1 from 999 to 999", "itself 600: 100 from 399 to 498"]
              }
            ]
          })
          assert.deepStrictEqual(
            (yield* pageOf(id, "2026-11-21")).days.map(({ day }) => day),
            ["2026-11-20"]
          )
        }).pipe(Effect.provide(application()))
    )

    it.effect("adds no day to a page of 200 entries", () =>
      Effect.gen(function* () {
        yield* at("2026-11-20T12:00:00Z")
        const { id } = yield* issueKey(1000)
        yield* at("2026-11-21T12:00:00Z")
        const { create } = yield* SubKeys
        const { subKey } = yield* create(id, { name: "CRM", monthlyLimit: null })
        yield* forecasts(id, 100)
        yield* forecasts(id, 99, subKey.id)
        const daysOf = Effect.map(pageOf(id), ({ days }) => days.map(({ day }) => day))
        assert.deepStrictEqual(yield* daysOf, ["2026-11-21", "2026-11-20"])
        yield* forecasts(id, 1, subKey.id)
        assert.deepStrictEqual(yield* daysOf, ["2026-11-21"])
      }).pipe(Effect.provide(application()))
    )

    it.effect("shows no day of which only a part was read", () =>
      Effect.gen(function* () {
        const { adjust } = yield* Grants
        yield* at("2026-11-20T12:00:00Z")
        const { id } = yield* issueKey(1000)
        for (const day of ["21", "22"]) {
          yield* at(`2026-11-${day}T12:00:00Z`)
          yield* Effect.replicateEffect(adjust(id, 1), 110)
        }
        const pageBefore = (before?: string) =>
          Effect.map(pageOf(id, before), ({ days, isMore }) => [
            isMore,
            ...days.map(({ changes, day }) => [day, changes.length])
          ])
        assert.deepStrictEqual(yield* pageBefore(), [true, ["2026-11-22", 110]])
        assert.deepStrictEqual(yield* pageBefore("2026-11-22"), [false, ["2026-11-21", 110], ["2026-11-20", 1]])
      }).pipe(Effect.provide(application()))
    )

    it.effect("shows each of many days on exactly one page, and forgets those whose usage is no longer kept", () =>
      Effect.gen(function* () {
        yield* at("2026-10-01T10:00:00Z")
        const { id } = yield* issueKey(1000)
        const { adjust } = yield* Grants
        const days = Array.from({ length: 20 }, (_, i) => `2026-10-${String(i + 1).padStart(2, "0")}`)
        for (const [i, day] of days.entries()) {
          yield* at(`${day}T12:00:00Z`)
          if (i % 3 < 2) yield* forecasts(id, i < 6 ? 70 : 2)
          if (i % 3 > 0) yield* adjust(id, 1)
        }
        const shown: Array<ReadonlyArray<string>> = []
        let before: string | undefined
        let isMore = true
        while (isMore && shown.length < 20) {
          const page = yield* pageOf(id, before)
          shown.push(page.days.map(({ day }) => day))
          before = page.days.at(-1)?.day
          isMore = page.isMore
        }
        assert.deepStrictEqual(shown.flat(), days.toReversed())
        assert.deepStrictEqual(
          shown.map(({ length }) => length),
          [7, 7, 5, 1]
        )
        yield* at("2027-11-08T00:00:00Z")
        assert.deepStrictEqual(
          (yield* pageOf(id)).days.map(({ day }) => day),
          ["2026-10-20", "2026-10-19", "2026-10-18", "2026-10-17", "2026-10-16", "2026-10-15", "2026-10-14"]
        )
        yield* at("2027-11-20T00:00:00Z")
        assert.deepStrictEqual(
          (yield* pageOf(id)).days.map(({ day }) => day),
          ["2026-10-20", "2026-10-19", "2026-10-18", "2026-10-17"]
        )
      }).pipe(Effect.provide(application()))
    )
  })
}
