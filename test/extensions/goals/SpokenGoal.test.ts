import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decodeGoalRequest } from "../../../src/extensions/goals/GoalRequest.ts"
import { reachGoal } from "../../../src/extensions/goals/Goals.ts"

const answerTo = (
  emails: number,
  [reply_rate, positive_reply_rate, meeting_booking_rate, close_rate]: readonly [number, number, number, number],
  money: { readonly average_deal_value?: number; readonly campaign_cost?: number },
  goal: object,
  more: object = {}
) => {
  const rates = { reply_rate, positive_reply_rate, meeting_booking_rate, close_rate }
  const request = Result.getOrThrow(decodeGoalRequest({ emails_sent: emails, ...rates, ...money, goal, ...more }))
  const answer = reachGoal(request.goal, request.assumptions)
  return { answer, spoken: answer.summary, notes: answer.calculation_notes }
}

/** The natural logarithm of the gamma function, by Stirling's series. */
const lnGamma = (x: number): number => {
  if (x < 20) return lnGamma(x + 1) - Math.log(x)
  const inverse = 1 / (x * x)
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / x
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series
}

/**
 * The chance of at least `least` clients, averaged over the published spread of the reply rate by Simpson's rule, with
 * the fourth power of the steps so that the density is smooth at 0.
 */
const atLeast = (least: number, emails: number, reply: number, share: number): number => {
  const alpha = 2.3
  const beta = alpha / reply - alpha
  const constant = lnGamma(alpha + beta) - lnGamma(alpha) - lnGamma(beta)
  const steps = 4000
  const most = (reply * 20) ** 0.25
  let fewer = 0
  for (let step = 1; step < steps; step++) {
    const root = (most * step) / steps
    const x = root ** 4
    const density = 4 * root ** 3 * Math.exp(constant + (alpha - 1) * Math.log(x) + (beta - 1) * Math.log1p(-x))
    let below = 0
    let term = emails * Math.log1p(-share * x)
    for (let count = 0; count < least; count++) {
      below += Math.exp(term)
      term += Math.log(((emails - count) * share * x) / ((count + 1) * (1 - share * x)))
    }
    fewer += (step % 2 === 1 ? 4 : 2) * density * below
  }
  return 1 - (fewer * most) / steps / 3
}

describe("the sentence on a goal", () => {
  it("begins with the question about past campaigns whose answer changes it, as the notes do", () => {
    const row = (emails_sent: number, replies: number, meetings?: number, clients?: number) => ({
      emails_sent,
      replies,
      ...(meetings === undefined ? {} : { positive_replies: meetings + 4, meetings, clients })
    })
    const money = { average_deal_value: 8000, campaign_cost: 900 }
    const ask = (goal: object, ...history: ReadonlyArray<object>) =>
      answerTo(5000, [2, 14, 45, 20], money, goal, { history })
    const undecided = [row(2000, 40, 4, 0), row(3000, 30, 5, 0)]
    const meetings = ask({ clients: 3, chance: 0.8 }, ...undecided)
    assert.match(meetings.spoken, /^Are all 9 meetings of your past campaigns decided\?/)
    assert.match(meetings.notes[0] ?? "", /^Are all 9 meetings of your past campaigns decided\?/)
    assert.notMatch(ask({ replies: 300 }, ...undecided).notes.join("\n"), /decided\?/)
    const dead = ask({ clients: 3 }, row(2000, 0), row(3000, 1), row(3000, 1))
    assert.match(dead.spoken, /^Did the emails of your past campaigns arrive\? 8,000 emails brought only 2 replies/)
    const unlike = ask({ revenue: 30_000 }, row(2000, 40), row(2000, 30), row(2500, 50), row(2000, 1000))
    assert.match(unlike.notes[0] ?? "", /^One of your 4 past campaigns, with 50% replies, is unlike the others/)
  })

  it("does not take emails for free without saying so", () => {
    const { notes } = answerTo(5000, [2, 14, 45, 20], { average_deal_value: 8000, campaign_cost: 0 }, { profit: 1e5 })
    assert.include(notes, "campaign_cost is 0, so the emails are taken to cost nothing: enter what they really cost.")
    assert.notMatch(notes.join("\n"), /cost as much each/)
  })

  it("begins with what the emails would cost, and says where that is a loss", () => {
    const revenue = answerTo(
      4000,
      [2.1, 15, 40, 25],
      { average_deal_value: 99, campaign_cost: 300 },
      { revenue: 10_000, chance: 0.8 }
    )
    assert.strictEqual(
      revenue.spoken,
      "For a revenue of 10,000 in 80 of 100 such campaigns it takes 716,442 emails, 179 times as many as planned, which would cost 53,700, a loss: they bring 22,300 on average."
    )
    assert.strictEqual(
      revenue.notes[0],
      "For a revenue of 10,000 it takes 716,442 emails, 179 times as many as planned, which would cost 53,733.15 at the plan's cost per email, a loss: they bring 22,342.24 on average."
    )
    // The same by other sums: 102 deals of 99, of which 716,441 emails bring too few.
    const share = 0.15 * 0.4 * 0.25
    assert.isAtLeast(atLeast(102, 716_442, 0.021, share), 0.8 - 1e-9)
    assert.isBelow(atLeast(102, 716_441, 0.021, share), 0.8 + 1e-9)
    assert.strictEqual(Math.round(((716_442 * 300) / 4000) * 100) / 100, 53_733.15)
    assert.strictEqual(Math.round(716_442 * 0.021 * share * 99 * 100) / 100, 22_342.24)

    const clients = answerTo(5000, [2, 20, 40, 20], { average_deal_value: 300, campaign_cost: 900 }, { clients: 20 })
    assert.strictEqual(
      clients.spoken,
      "For 20 clients on average it takes 62,500 emails, 12.5 times as many as planned, which would cost 11,300, a loss: they bring 6,000 on average. With the emails as planned, it takes a reply rate of 25%, beyond what is published."
    )
    assert.strictEqual(
      clients.notes[0],
      "For 20 clients it takes 62,500 emails, 12.5 times as many as planned, which would cost 11,250 at the plan's cost per email, a loss: they bring 6,000 on average."
    )
    assert.strictEqual((20 * 100 ** 4) / (2 * 20 * 40 * 20), 62_500)
  })

  it("names the cost of emails that earn it, too, and other ways next to it", () => {
    const { notes, spoken } = answerTo(
      5000,
      [2, 20, 45, 20],
      { average_deal_value: 8000, campaign_cost: 900 },
      { clients: 5 }
    )
    assert.strictEqual(
      spoken,
      "For 5 clients on average it takes 13,889 emails, 2.78 times as many as planned, which would cost 2,500. With the emails as planned, a positive reply rate of 55.56% would be enough; so would a reply rate of 5.56% or a close rate of 55.56%, but that is beyond what is published."
    )
    assert.notMatch(notes.join("\n"), /campaign_cost does not change|a loss/)
  })

  it("leaves the cost out where it is unknown, included in the aim, or not needed", () => {
    const money = { average_deal_value: 8000, campaign_cost: 900 }
    const rates = [2, 20, 45, 20] as const
    for (const { notes, spoken } of [
      answerTo(5000, rates, { average_deal_value: 8000 }, { clients: 5 }),
      answerTo(5000, rates, { ...money, campaign_cost: 0 }, { clients: 5 }),
      answerTo(5000, rates, money, { profit: 50_000 }),
      answerTo(5000, rates, money, { clients: 1 }),
      answerTo(5000, rates, money, { clients: 900_000 })
    ]) {
      assert.notMatch([spoken, ...notes].join("\n"), /emails, .* would cost/)
    }
    // With a history, the clients of a goal in meetings are unknown, and so is a loss.
    const history = [{ emails_sent: 5000, replies: 100 }]
    const { spoken } = answerTo(
      5000,
      rates,
      { average_deal_value: 3, campaign_cost: 900 },
      { meetings: 30 },
      { history }
    )
    assert.match(
      spoken,
      /^For 30 meetings on average it takes [\d,]+ emails, [\d.]+ times as many as planned, which would cost [\d,]+\.$/
    )
  })

  it("asks about units before any figure, but not of a rate that the goal does not rest on", () => {
    const money = { average_deal_value: 8000, campaign_cost: 900 }
    const question =
      "Is 0.5% of emails meant? Then enter 25 as the positive reply rate: 5,000 emails would bring 2.25 clients instead of 0.05. If not, leave automatic replies out; positive replies stay 0.01% of emails."
    const { notes, spoken } = answerTo(5000, [2, 0.5, 45, 20], money, { clients: 5 })
    assert.isTrue(
      spoken.startsWith(
        `${question.split(" If not,")[0]} For 5 clients on average it takes 555,556 emails, 111 times as many as planned, which would cost 100,000, a loss`
      ),
      spoken
    )
    assert.include(notes, question)
    assert.notInclude(answerTo(5000, [2, 0.5, 45, 20], money, { replies: 500 }).spoken, "meant?")
    assert.match(
      answerTo(5000, [6, 20, 45, 20], money, { clients: 20 }).spoken,
      /^This counts on a reply rate of 6%, which few campaigns have: check that first\. If 6% is of contacts, divide it by the emails that each gets, and give that number as emails per contact\. For 20 clients on average it takes 18,519 emails, /
    )
  })

  it("compares no rate of 100%, nor a close rate without meetings", () => {
    const { answer, spoken } = answerTo(
      3000,
      [3, 35, 100, 60],
      { average_deal_value: 120, campaign_cost: 400 },
      { clients: 40 }
    )
    assert.isNull(answer.needed.close_rate?.beyond_published)
    assert.isNull(answer.needed.meeting_booking_rate?.beyond_published)
    assert.notMatch(spoken, /counts on/)
  })
})
