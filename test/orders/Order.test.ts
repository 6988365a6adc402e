import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Option, Schema } from "effect"
import { oneBusinessDayAfter } from "../../src/orders/Order.ts"
import { parseHolidays } from "../../src/settings/Ordering.ts"

const day = 86_400_000
const at = (text: string) => DateTime.toEpochMillis(DateTime.makeUnsafe(text))
const iso = (millis: number) => DateTime.formatIso(DateTime.makeUnsafe(millis))
const holidays = Option.getOrThrow(parseHolidays("2026-12-25, 2027-01-01"))
const date = (millis: number) => iso(millis).slice(0, 10)
const isFree = (millis: number) => {
  const { weekDay } = DateTime.toPartsUtc(DateTime.makeUnsafe(millis))
  return weekDay === 0 || weekDay === 6 || holidays.has(date(millis))
}

/** From 2026-11-01 to 2027-02-28. */
const times = Arbitrary.schema(
  Schema.Int.check(Schema.isBetween({ minimum: at("2026-11-01T00:00:00Z"), maximum: at("2027-02-28T00:00:00Z") }))
)

describe("oneBusinessDayAfter", () => {
  it("is the same time on the next day that is neither weekend nor holiday", () => {
    for (const [from, to] of [
      ["2026-11-23T10:15:30.500Z", "2026-11-24T10:15:30.500Z"], // Monday
      ["2026-11-27T23:59:59.999Z", "2026-11-30T23:59:59.999Z"], // Friday
      ["2026-11-28T00:00:00.000Z", "2026-12-01T00:00:00.000Z"], // Saturday counts as Monday 00:00
      ["2026-11-29T18:00:00.000Z", "2026-12-01T00:00:00.000Z"], // Sunday
      ["2026-12-24T09:00:00.000Z", "2026-12-28T09:00:00.000Z"], // the day before a holiday, a Thursday
      ["2026-12-25T09:00:00.000Z", "2026-12-29T00:00:00.000Z"], // a holiday, a Friday
      ["2026-12-31T09:00:00.000Z", "2027-01-04T09:00:00.000Z"]
    ] as const) {
      assert.strictEqual(iso(oneBusinessDayAfter(at(from), holidays)), to, from)
    }
  })

  it.prop("falls on a business day, one business day later", [times], ([from]) => {
    const to = oneBusinessDayAfter(from, holidays)
    assert.isFalse(isFree(to))
    assert.isAtLeast(to - from, day)
    // Exactly one day passes on business days; holidays and weekends do not count.
    const start = isFree(from) ? from - (from % day) : from
    const freeDays = Array.from({ length: (to - start) / day }, (_, i) => start + i * day).filter(isFree)
    assert.strictEqual(to - start - freeDays.length * day, day)
    assert.strictEqual(to % day, isFree(from) ? 0 : from % day)
  })

  it.prop("is never earlier for a later payment", [times, times], ([a, b]) => {
    const [first, second] = a <= b ? [a, b] : [b, a]
    assert.isAtMost(oneBusinessDayAfter(first, holidays), oneBusinessDayAfter(second, holidays))
  })
})
