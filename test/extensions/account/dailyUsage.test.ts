import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { timeLeftSentence } from "../../../src/extensions/account/KeyPages.ts"
import { dailyDrawing, dailyPace, dailyUsage } from "../../../src/extensions/account/dailyUsage.ts"
import { SubKeyId } from "../../../src/KeyStatus.ts"

const at = (time: string) => DateTime.makeUnsafe(time).epochMilliseconds
const now = at("2026-11-23T10:00:00Z")
const [crm, gone, ...more] = ["crm", "gone", "c", "d", "e"].map((id) => SubKeyId.make(id))
const rowOf = (day: string, subKeyId: SubKeyId | undefined, requests: number) => ({
  day,
  subKeyId,
  subKey: subKeyId?.toUpperCase(),
  requests
})

describe("the use of a key by day", () => {
  it("covers the last 30 days, with the busiest sub-keys first and the key itself last", () => {
    const usage = dailyUsage(
      [
        rowOf("2026-10-24", undefined, 9),
        rowOf("2026-10-25", undefined, 1),
        rowOf("2026-11-23", undefined, 2),
        rowOf("2026-11-23", crm, 5),
        rowOf("2026-11-22", gone, 7),
        ...more.map((id, index) => rowOf("2026-11-20", id, index + 1))
      ],
      now
    )
    assert.lengthOf(usage.days, 30)
    assert.strictEqual(usage.days[0], at("2026-10-25"))
    assert.deepStrictEqual(
      usage.series.map(({ name, requests }) => [name, requests.reduce((a, b) => a + b, 0)]),
      [
        ["GONE", 7],
        ["CRM", 5],
        ["E", 3],
        ["2 other sub-keys", 3],
        ["The key itself", 3]
      ]
    )
    assert.strictEqual(dailyPace(usage), (2 + 5 + 7 + 6) / 7)
    const { text } = dailyDrawing(usage)
    assert.include(text, 'aria-label="23 November: 7 forecasts; CRM 5; The key itself 2"')
    assert.include(text, "25 October to 23 November: 21, at most 7 on a day")
  })

  it("is a sentence if there was none", () => {
    assert.include(dailyDrawing(dailyUsage([], now)).text, "None in the last 30 days.")
  })
})

describe("how long a balance lasts", () => {
  for (const [remaining, pace, sentence] of [
    [1840, 54, "At 54 a day, the pace of the last 7 days, they last until 27 December 2026."],
    [1, 2 / 7, "At 0.3 a day, the pace of the last 7 days, they last until 26 November 2026."],
    [1, 1, "At 1 a day, the pace of the last 7 days, they last until 24 November 2026."],
    [3, 12.4, "At 12 a day, the pace of the last 7 days, they last less than a day."],
    [10_000, 1, "At 1 a day, the pace of the last 7 days, they last more than a year."],
    [10, 0, "There was no forecast in the last 7 days."],
    [0, 5, "Forecasts are refused until you add credits."]
  ] as const) {
    it(`says of ${remaining} credits at ${pace} a day: ${sentence}`, () => {
      assert.strictEqual(timeLeftSentence(remaining, pace, now), sentence)
    })
  }
})
