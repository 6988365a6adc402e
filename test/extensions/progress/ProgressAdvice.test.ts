import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { computeProgress } from "../../../src/extensions/progress/Progress.ts"
import { decodeProgressRequest } from "../../../src/extensions/progress/ProgressRequest.ts"
import { against } from "../../../src/extensions/progress/InFlight.ts"
import { decodeJson } from "../../../src/input/parseJson.ts"
import { nothingSent, underWay } from "../support/InFlight.ts"
import { sample } from "../../support/Samples.ts"

const answerTo = (body: object) =>
  computeProgress(Result.getOrThrow(decodeJson(JSON.stringify({ ...sample, ...body }), decodeProgressRequest)))

const example = {
  so_far: { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 },
  open: { replies: 7, positive_replies: 4, meetings: 2 }
}

describe("advice on a campaign in flight", () => {
  it("names the open cases first, and then what the remaining emails may cost", () => {
    assert.deepStrictEqual(answerTo(example).recommendations, [
      "Work on what is open first, 7 replies, 4 positive replies and 2 meetings: they bring 1.31 clients on average without another email.",
      "The 3,000 emails still to send bring 2.69 clients on average: send them only if they cost less than about 6,730."
    ])
    assert.match(
      answerTo({ ...example, emails_left: 1 }).recommendations[1] ?? "",
      /^The email still to send brings fewer than 0\.01 clients on average: send it only if it costs less than /
    )
  })

  it("recommends changing what is clearly below the plan before sending more", () => {
    const so_far = { emails_sent: 1000, replies: 50, positive_replies: 4, meetings: 1, clients: 1 }
    const { recommendations, weakest } = answerTo({ so_far, average_deal_value: null })
    assert.strictEqual(weakest, "positive_reply_rate")
    assert.deepStrictEqual(recommendations, [
      "Before sending more, change the offer or its audience: 4 of 50 replies were positive, 8% instead of 30%; as campaigns vary, so few are seen in 9 of 100 campaigns with this plan.",
      "The 4,000 emails still to send bring 1.67 clients on average: send them only if that is worth what they cost."
    ])
    assert.match(answerTo({ so_far, emails_left: 0 }).recommendations[0] ?? "", /^Next time, change the offer/)
  })

  it("asks whether emails arrive before any word on list or text, if so many without a reply are rare", () => {
    const unanswered = (emails_sent: number, more = {}) =>
      answerTo({ so_far: { ...nothingSent, emails_sent }, ...more })
    const { recommendations, weakest } = unanswered(500)
    assert.strictEqual(weakest, "reply_rate")
    assert.deepStrictEqual(recommendations, [
      "Before you change the list or the text, check whether your emails arrive: 500 emails without a reply are seen in fewer than 1 of 100 campaigns with this plan. Send some to inboxes of your own at Gmail and Outlook, check SPF, DKIM and DMARC, and look for your domain on blocklists."
    ])
    assert.match(unanswered(100, { spread: "none" }).recommendations[0] ?? "", /check whether your emails arrive/)
    assert.notMatch(unanswered(100).recommendations.join(), /arrive/)
    assert.notMatch(unanswered(500, { open: { emails: 400 } }).recommendations.join(), /arrive/)
  })

  it("asks whether meetings that won nobody are decided, instead of judging rates, unless something is open", () => {
    const so_far = { emails_sent: 2000, replies: 100, positive_replies: 30, meetings: 20, clients: 0 }
    const { recommendations, weakest } = answerTo({ so_far })
    assert.strictEqual(weakest, "close_rate")
    assert.deepStrictEqual(recommendations, [
      "Are all 20 meetings decided? None has won a client, and all count as lost. Enter those still undecided as open.meetings."
    ])
    assert.match(
      answerTo({ so_far, open: { meetings: 3 } }).recommendations.join(),
      /sending more, change who is invited/
    )
  })

  it("judges rates that do not rest on the counts in doubt", () => {
    const so_far = { emails_sent: 1000, delivered: 600, replies: 40, positive_replies: 10, meetings: 2, clients: 0 }
    assert.deepStrictEqual(answerTo({ so_far, delivery_rate: 95 }).recommendations.slice(1), [
      "Before sending more, clean the list and check the sending domain: 600 of 1,000 emails were delivered, 60% instead of 95%; by chance alone, so few are seen in fewer than 1 of 100 campaigns with this plan."
    ])
  })

  it("asks about automatic replies, instead of judging rates, if fewer than 7% are positive", () => {
    const ask = (replies: number, positive_replies: number) =>
      answerTo({ so_far: { emails_sent: 2000, replies, positive_replies, meetings: 0, clients: 0 } }).recommendations
    assert.deepStrictEqual(ask(100, 6).slice(0, -1), [
      "Do the 100 replies include automatic ones, such as out-of-office notices? Only 6 of them are positive. Leave automatic ones out, and compare with the plan again."
    ])
    assert.match(ask(15, 0)[0] ?? "", /include automatic ones.*\? None of them is positive\./)
    assert.notMatch([...ask(100, 7), ...ask(14, 0)].join(), /automatic/)
  })

  it("says that it is too early to tell only if the remaining emails can tell and the result is rare", () => {
    const booked = (meetings: number, emails_left: number) =>
      answerTo({
        so_far: { emails_sent: 4000, replies: 200, positive_replies: 60, meetings, clients: 1 },
        open: { meetings: meetings - 1 },
        emails_left
      }).recommendations[1]
    assert.strictEqual(
      booked(7, 3000),
      "It is too early to call the meeting booking rate low: 60 positive replies brought 7 meetings, 11.67% instead of 20%; by chance alone, so few are seen in 7 of 100 campaigns with this plan; if it stays there, it takes about 2,800 more emails to tell."
    )
    assert.match(booked(7, 1000) ?? "", /^The 1,000 emails/)
    assert.match(booked(10, 10_000) ?? "", /^The 10,000 emails/)
    const tellable = { rate: "meeting_booking_rate", planned: underWay.plan.meeting_booking_rate } as const
    assert.strictEqual(against(underWay.plan, { ...tellable, cases: 60, passed: 7 }).verdict, "as_planned")
  })

  it("asks to add a campaign that is over to the past ones", () => {
    const so_far = { emails_sent: 5000, replies: 250, positive_replies: 75, meetings: 20, clients: 5 }
    assert.deepStrictEqual(answerTo({ so_far }).recommendations, [
      "The campaign is over: add it to your past campaigns, and your next forecast learns from 5,000 emails, 250 replies, 75 positive replies, 20 meetings and 5 clients."
    ])
    assert.notMatch(answerTo({ so_far, open: { emails: 10 } }).recommendations.join(), /is over/)
    const counted = { ...so_far, delivered: 4750, replies: 240, meetings_held: 16 }
    assert.deepStrictEqual(answerTo({ so_far: counted, delivery_rate: 95, show_rate: 80 }).recommendations.slice(-1), [
      "The campaign is over: add it to your past campaigns, and your next forecast learns from 5,000 emails, 4,750 delivered emails, 240 replies, 75 positive replies, 20 meetings, 16 held meetings and 5 clients."
    ])
  })

  it("recommends stopping if the remaining emails bring no clients", () => {
    const so_far = { emails_sent: 1000, replies: 50, positive_replies: 15, meetings: 3, clients: 0 }
    assert.strictEqual(
      answerTo({ so_far, open: { meetings: 1 }, close_rate: 0 }).recommendations.at(-1),
      "Stop: the 4,000 emails still to send bring no client at these rates."
    )
    const weak = answerTo({ so_far: { ...so_far, replies: 3, positive_replies: 1, meetings: 0 }, close_rate: 0 })
    assert.deepStrictEqual(
      weak.recommendations.map((text) => text.split(",")[0]),
      ["Next time", "Stop: the 4"]
    )
  })

  it("recommends waiting if answers to emails are all that is open", () => {
    const so_far = { emails_sent: 5000, replies: 200, positive_replies: 60, meetings: 12, clients: 3 }
    assert.deepStrictEqual(answerTo({ so_far, open: { emails: 800 } }).recommendations, [
      "Wait for answers to the 800 emails that are still open: they bring 0.57 clients on average."
    ])
  })

  it("includes recent emails in the open cases, and promises nothing", () => {
    const { calculation_notes, recommendations } = answerTo({ ...example, open: { ...example.open, emails: 100 } })
    assert.include(recommendations[0], "together with the 100 emails that may still be answered, they bring")
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
      "Plan: 3.75 clients on average; 4 or more are reached in 61 of 100 such campaigns."
    ])
    const { calculation_notes } = answerTo({ ...example, open: {} })
    const varying =
      /^Nobody has published how much positive_reply_rate varies: for its verdict alone, it is taken to vary/
    assert.isTrue(calculation_notes.some((note) => varying.test(note)))
    assert.isFalse(answerTo({ ...example, spread: "none" }).calculation_notes.some((note) => varying.test(note)))
    assert.include(calculation_notes[2], "every case that has not reached the next count is taken as lost")
    assert.strictEqual(
      answerTo({ so_far: nothingSent }).calculation_notes[0],
      "Nothing is decided yet: all rates are those of the plan."
    )
    const one = answerTo({ so_far: { ...example.so_far, clients: 0 }, open: { meetings: 1 } }).calculation_notes
    assert.include(one, "Open: 1 meeting; it passes with the same rates as new ones.")
    assert.isTrue(one.some((note) => note.endsWith("such campaigns: 0 to 3 clients.")))
  })

  it("say that the cost is that of the plan, where other emails are sent", () => {
    const cost = (changes: object) =>
      answerTo({ ...example, ...changes }).calculation_notes.filter((note) => note.startsWith("campaign_cost"))
    assert.deepStrictEqual(cost({ emails_left: 10_000 }), [
      "campaign_cost does not change with the emails: it is that of the plan, for 5,000, and 12,000 are sent in all."
    ])
    assert.deepStrictEqual([...cost({}), ...cost({ emails_left: 0, campaign_cost: 0 })], [])
  })
})
