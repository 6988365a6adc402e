import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { computeProgress } from "../../../src/forecast/progress/Progress.ts"
import { decodeProgressRequest } from "../../../src/forecast/progress/ProgressRequest.ts"
import { against } from "../../../src/forecast/progress/InFlight.ts"
import { decodeJson } from "../../../src/input/parseJson.ts"
import { nothingSent, underWay } from "../../support/InFlight.ts"
import { sample } from "../../support/Samples.ts"

const answerTo = (body: object) =>
  computeProgress(Result.getOrThrow(decodeJson(JSON.stringify({ ...sample, ...body }), decodeProgressRequest)))

const example = {
  so_far: { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 },
  open: { replies: 7, positive_replies: 4, meetings: 2 }
}

describe("advice on a campaign in flight", () => {
  it("says how many emails it takes to tell luck from plan, what is open, and what the remaining emails may cost", () => {
    assert.deepStrictEqual(answerTo(example).recommendations, [
      "It is too early to call the positive reply rate low: 14 positive replies of 55 replies, 25.45% instead of 30%; by chance alone, as few are seen in 28 of 100 campaigns with this plan; if it stays there, it takes about 15,210 more emails to tell, and 3,000 are left.",
      "Work on what is open first, 7 replies, 4 positive replies and 2 meetings: they bring 1.31 clients on average without another email.",
      "The 3,000 emails left bring 2.69 clients on average: send them only if they cost less than 6,734."
    ])
  })

  it("recommends changing what is clearly below the plan before sending more", () => {
    const so_far = { emails_sent: 1000, replies: 50, positive_replies: 5, meetings: 2, clients: 0 }
    const { recommendations, weakest } = answerTo({ so_far, average_deal_value: null })
    assert.strictEqual(weakest, "positive_reply_rate")
    assert.deepStrictEqual(recommendations, [
      "Before sending more, change the offer or its audience: 5 positive replies of 50 replies, 10% instead of 30%; by chance alone, as few are seen in fewer than 1 of 100 campaigns with this plan.",
      "The 4,000 emails left bring 1.13 clients on average: send them only if that is worth what they cost."
    ])
    assert.match(answerTo({ so_far, emails_left: 0 }).recommendations[0] ?? "", /^Next time, change the offer/)
  })

  it("names the smallest number of emails after which the plan is in doubt", () => {
    const [first] = answerTo({ so_far: nothingSent }).recommendations
    assert.strictEqual(
      first,
      "It is too early to judge the reply rate, of which nothing is decided: it takes about 77 more emails without a reply to call it low."
    )
    const none = { rate: "reply_rate", planned: underWay.plan.reply_rate, passed: 0 } as const
    assert.strictEqual(against(underWay.plan, { ...none, cases: 77 }).verdict, "below")
    assert.strictEqual(against(underWay.plan, { ...none, cases: 76 }).verdict, "as_planned")
  })

  it("says if no number of emails can tell bad luck from a bad plan", () => {
    const so_far = { emails_sent: 2000, replies: 62, positive_replies: 31, meetings: 7, clients: 2 }
    assert.match(
      answerTo({ so_far }).recommendations[0] ?? "",
      /the reply rate low: .* as campaigns vary, .* in 33 of 100 .*; if it stays there, no number of emails can tell that from bad luck\.$/
    )
  })

  it("recommends stopping if the remaining emails bring no clients", () => {
    const so_far = { emails_sent: 1000, replies: 50, positive_replies: 15, meetings: 3, clients: 0 }
    assert.strictEqual(
      answerTo({ so_far, close_rate: 0 }).recommendations.at(-1),
      "Stop: the 4,000 emails left bring no client at these rates."
    )
    assert.deepStrictEqual(
      answerTo({ so_far: { emails_sent: 5000, replies: 250, positive_replies: 75, meetings: 20, clients: 5 } })
        .recommendations,
      []
    )
  })

  it("includes recent emails in the open cases, and promises nothing", () => {
    const { calculation_notes, recommendations } = answerTo({ ...example, open: { ...example.open, emails: 100 } })
    assert.include(recommendations[1], "together with the 100 emails that may still be answered, they bring")
    for (const text of [...recommendations, ...calculation_notes]) assert.notMatch(text, /\bwill\b|\blikely\b/)
    assert.isAtMost(recommendations.length, 3)
  })
})

describe("the notes on a campaign in flight", () => {
  it("state which counts were taken as decided, and which as open", () => {
    assert.deepStrictEqual(answerTo(example).calculation_notes.slice(0, 5), [
      "Decided: 62 replies of 2,000 emails, 14 positive replies of 55 replies, 4 meetings of 10 positive replies and 1 client of 2 meetings.",
      "Open: 7 replies, 4 positive replies and 2 meetings; they pass with the same rates as new ones.",
      "All emails sent so far count as decided. If recent ones may still be answered, give their number as open.emails.",
      "End: with 3,000 more emails, in 80 of 100 such campaigns: 2 to 9 clients, including those already won.",
      "Plan: its expected clients, rounded up, are 4; as many or more are reached in 61 of 100 such campaigns."
    ])
    const { calculation_notes } = answerTo({ ...example, open: {} })
    assert.include(calculation_notes[2], "every case that has not reached the next count is taken as lost")
    assert.strictEqual(
      answerTo({ so_far: nothingSent }).calculation_notes[0],
      "Nothing is decided yet: all rates are those of the plan."
    )
  })
})
