import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { percentOf } from "../../src/forecast/Decimal.ts"
import { chanceOfNoClient, emailsForAClient, isSmallSample } from "../../src/forecast/NoClient.ts"
import { assumptions } from "../support/Arbitraries.ts"

const of = (text: string) => BigDecimal.fromStringUnsafe(text)

/** Emails and the clients expected of them at a chance of `percent` for each. */
const campaign = (emails: string, percent: string) => [of(emails), percentOf(of(emails), of(percent))] as const

describe("the chance of no client", () => {
  it("is (1 − p)^n", () => {
    for (const [emails, percent, chance] of [
      ["5000", "0.075", 0.023_484_7],
      ["500", "0.075", 0.687_192_6],
      ["1", "80", 0.2],
      ["2", "99.999999999", 1e-22],
      ["100000000", "0.000001", 0.367_879_4],
      ["10", "0", 1],
      ["10", "100", 0]
    ] as const) {
      assert.approximately(chanceOfNoClient(...campaign(emails, percent)), chance, 1e-7, `${emails} ${percent}`)
    }
  })

  it("keeps its digits where a client is almost certain", () => {
    const chance = chanceOfNoClient(...campaign("2", "99.999999999"))
    assert.approximately(chance / 1e-22, 1, 1e-9)
  })

  it("is not above 20 % where it is exactly that, and is by the least step beyond", () => {
    assert.isFalse(isSmallSample(...campaign("1", "80")))
    assert.isTrue(isSmallSample(...campaign("1", "79.99999999999999999999")))
    assert.isTrue(isSmallSample(...campaign("1", "0")))
    assert.isFalse(isSmallSample(...campaign("1", "100")))
  })

  it("is decided as 30 digits decide it next to the boundary", () => {
    // 1 − 0.2^(1/n), cut and rounded up at the 14th digit, by arithmetic with 50 digits.
    for (const [emails, above, below] of [
      ["2", "55.278640450004", "55.278640450005"],
      ["100", "1.5965556636542", "1.5965556636543"],
      ["2146", "0.07496899102254", "0.07496899102255"]
    ] as const) {
      assert.isTrue(isSmallSample(...campaign(emails, above)), emails)
      assert.isFalse(isSmallSample(...campaign(emails, below)), emails)
    }
  })

  it.prop(
    "falls to 20 % at the number of emails that is said to be enough, and not before",
    [assumptions],
    ([input]) => {
      const rates = [input.reply_rate, input.positive_reply_rate, input.meeting_booking_rate, input.close_rate]
      const clientsOf = (emails: BigDecimal.BigDecimal) => rates.reduce(percentOf, emails)
      const enough = emailsForAClient(input.emails_sent, clientsOf(input.emails_sent))
      if (enough > 1e8) return
      const count = BigDecimal.make(BigInt(enough), 0)
      assert.isFalse(isSmallSample(count, clientsOf(count)))
      if (enough === 1) return
      const fewer = BigDecimal.make(BigInt(enough - 1), 0)
      assert.isTrue(isSmallSample(fewer, clientsOf(fewer)))
    }
  )
})
