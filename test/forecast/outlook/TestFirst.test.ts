import { assert, describe, it } from "@effect/vitest"
import type { Campaign } from "../../../src/forecast/Campaign.ts"
import { testFirst } from "../../../src/forecast/outlook/TestFirst.ts"
import { campaignOf } from "../../support/Campaigns.ts"
import { testLists } from "../../../scripts/calibrate/Calibration.ts"

const varying = (changes: Parameters<typeof campaignOf>[0] = {}): Campaign => ({
  ...campaignOf(changes),
  spread: "published"
})

/** The chances of 0 to `size` replies if the rate is Beta(alpha, beta). */
const betaBinomial = (size: number, alpha: number, beta: number): ReadonlyArray<number> => {
  const chances = [1]
  for (let sent = 0; sent < size; sent++) {
    const next = Array.from({ length: sent + 2 }, () => 0)
    for (const [replies, chance] of chances.entries()) {
      const answered = (alpha + replies) / (alpha + beta + sent)
      next[replies] = (next[replies] ?? 0) + chance * (1 - answered)
      next[replies + 1] = (next[replies + 1] ?? 0) + chance * answered
    }
    chances.splice(0, chances.length, ...next)
  }
  return chances
}

/** The expected replies by every possible result of the test. */
const enumerated = (emails: number, lists: number, size: number, alpha: number, beta: number): number => {
  const chances = betaBinomial(size, alpha, beta)
  const after = (left: number, chance: number, replies: number, most: number): number =>
    left === 0
      ? chance * (replies + ((emails - lists * size) * (alpha + most)) / (alpha + beta + size))
      : chances.reduce(
          (sum, each, count) => sum + after(left - 1, chance * each, replies + count, Math.max(most, count)),
          0
        )
  return after(lists, 1, 0, 0)
}

describe("testFirst", () => {
  it("says what a test of 2, 3 and 5 lists brings to the sample campaign", () => {
    assert.deepStrictEqual(testFirst(varying()), [
      { lists: 2, emails_each: 150, replies: 320.4493, factor: 1.2818 },
      { lists: 3, emails_each: 100, replies: 356.7147, factor: 1.4269 },
      { lists: 5, emails_each: 100, replies: 400.7932, factor: 1.6032 }
    ])
  })

  it("equals an enumeration of all results of a test, in delivered emails", () => {
    for (const rate of [0.7, 5, 48, 93]) {
      const [alpha, beta] = rate < 50 ? [2.3, (2.3 * (100 - rate)) / rate] : [(2.3 * rate) / (100 - rate), 2.3]
      // 30% of 1,000 emails are delivered: only tests of 50 delivered emails are small enough.
      const rows = testFirst(varying({ emails_sent: 1000, delivery_rate: 30, reply_rate: rate }))
      assert.deepStrictEqual(
        rows,
        [2, 3].map((lists) => {
          const replies = enumerated(300, lists, 50, alpha, beta)
          return {
            lists,
            emails_each: 167,
            replies: Math.round(replies * 1e4) / 1e4,
            factor: Math.round((replies / 3 / rate) * 1e4) / 1e4
          }
        })
      )
    }
  })

  it("agrees with a simulation of campaigns that test three lists", () => {
    // The standard error of a simulated factor is about 0.005, and about 0.01 where shares vary.
    const test = { lists: 3, emails_each: 100 }
    const same = testLists(test, { campaigns: 10_000, seed: 1, sharesVary: false })
    assert.closeTo(same.replies.replies, 1.4269, 0.02)
    assert.closeTo(same.replies.positive, 1.4269, 0.02)
    const varying = testLists(test, { campaigns: 10_000, seed: 1, sharesVary: true })
    assert.closeTo(varying.replies.replies, 1.4269, 0.02)
    // Counting positive replies twice brings more of these where their share varies, and hardly fewer where it does not.
    assert.isAbove(varying.points.positive, varying.replies.positive + 0.04)
    assert.isAbove(same.points.positive, same.replies.positive - 0.02)
  })

  it("varies lists within the learned level: by its mean and the learned variation between campaigns", () => {
    const learned = { reply_rate: { alpha: 1.2, beta: 22.8, shape: 2.3 } }
    assert.deepStrictEqual(testFirst({ ...varying(), spread: "none", learned }), testFirst(varying()))
  })

  it("is null if the reply rate does not vary, or with fewer than 1,000 emails", () => {
    assert.isNull(testFirst({ ...varying(), spread: "none" }))
    assert.isNull(testFirst(varying({ reply_rate: 0 })))
    assert.isNull(testFirst(varying({ reply_rate: 100 })))
    assert.isNull(testFirst(varying({ emails_sent: 999 })))
    assert.isNull(testFirst(varying({ delivery_rate: 0.01 })))
    assert.lengthOf(testFirst(varying({ emails_sent: 1000 })) ?? [], 3)
  })
})
