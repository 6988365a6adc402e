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

const rates = (reply: number, positive: number, booking: number, close: number) => ({
  reply_rate: reply,
  positive_reply_rate: positive,
  meeting_booking_rate: booking,
  close_rate: close
})

describe("advice on a campaign in flight", () => {
  it("names the open cases first, and then what the remaining emails bring and cost", () => {
    assert.deepStrictEqual(answerTo(example).recommendations, [
      "Work on what is open first, 7 replies, 4 positive replies and 2 meetings: they bring 1.31 clients on average without another email.",
      "Send the rest: about 6,730 in revenue for 360, as 3,000 more emails bring 2.69 clients on average."
    ])
    assert.match(
      answerTo({ ...example, emails_left: 1 }).recommendations[1] ?? "",
      /^Send the rest: about 2\.24 in revenue for 0\.12, as 1 more email brings fewer than 0\.01 clients on average\.$/
    )
  })

  it("is heard before the end if it doubts the units of the plan", () => {
    const { summary } = answerTo({ ...example, ...rates(0.05, 0.3, 0.2, 0.25) })
    assert.match(summary, /^Check the unit of the reply rate, .* it ends with 1 client, 1\.01 on average; /)
    const begun = answerTo({
      ...rates(0.05, 0.3, 0.2, 0.25),
      so_far: { ...example.so_far, replies: 0, positive_replies: 0, meetings: 0, clients: 0 }
    })
    assert.include(begun.summary, "it ends with no client, fewer than 0.01 on average")
  })

  it("recommends changing what is clearly below the plan before sending more", () => {
    const so_far = { emails_sent: 1000, replies: 50, positive_replies: 4, meetings: 1, clients: 1 }
    const { recommendations, weakest } = answerTo({ so_far, average_deal_value: null })
    assert.strictEqual(weakest, "positive_reply_rate")
    assert.deepStrictEqual(recommendations, [
      "Before sending more, change the offer or its audience: 4 of 50 replies were positive, 8% instead of 30%; as campaigns vary, so few are seen in 9 of 100 campaigns with this plan."
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
      "Are all 20 meetings decided? None has won a client, so all count as lost: enter those still undecided as open.meetings."
    ])
    assert.match(
      answerTo({ so_far, open: { meetings: 3 } }).recommendations.join(),
      /sending more, change who is invited/
    )
  })

  it("judges rates that do not rest on the counts in doubt", () => {
    const so_far = { emails_sent: 4000, replies: 200, positive_replies: 20, meetings: 4, clients: 0 }
    assert.deepStrictEqual(answerTo({ so_far, spread: "none" }).recommendations.slice(1), [
      "Before sending more, change the offer or its audience: 20 of 200 replies were positive, 10% instead of 30%; by chance alone, so few are seen in fewer than 1 of 100 campaigns with this plan."
    ])
  })

  it("says nothing but to stop while more bounce than twice the published mean", () => {
    const plan = { ...rates(2, 18, 45, 20), average_deal_value: 6000, campaign_cost: 900, delivery_rate: 97 }
    const bounced = (emails_sent: number, delivered: number, more: object = {}) =>
      answerTo({
        ...plan,
        so_far: { emails_sent, delivered, replies: 20, positive_replies: 4, meetings: 2, clients: 0 },
        open: { meetings: 2 },
        ...more
      }).recommendations
    assert.deepStrictEqual(bounced(2000, 1600), [
      "Stop sending and verify the addresses: 400 of 2,000 emails bounced, 20% instead of the measured mean of 3.14% (Clientium 2026, CC BY 4.0, clientium.it/osservatorio/). Each further bounce harms your domain."
    ])
    assert.match(
      bounced(2000, 1600, { emails_left: 0 }).join(),
      /^Before the next campaign, verify the addresses: 400 /
    )
    assert.match(bounced(2000, 1874).join(), /^Stop sending/)
    assert.notMatch([...bounced(2000, 1875), ...bounced(50, 46)].join(), /bounced/)
  })

  it("asks about the unit of the plan's rates before anything that is compared with them", () => {
    const so_far = { emails_sent: 2000, replies: 40, positive_replies: 10, meetings: 4, clients: 1 }
    assert.deepStrictEqual(answerTo({ so_far, ...rates(2, 0.5, 45, 20) }).recommendations, [
      "Is 0.5% of emails meant? Then enter 25 as the positive reply rate: 5,000 emails would bring 2.25 clients instead of 0.05. If not, leave automatic replies out; positive replies stay 0.01% of emails."
    ])
  })

  it("asks whether positive replies and replies are decided, if none came further and nothing is open", () => {
    const plan = { ...rates(2, 18, 45, 20), average_deal_value: 6000, campaign_cost: 900 }
    const ask = (replies: number, positive_replies: number, open = {}) =>
      answerTo({ ...plan, so_far: { emails_sent: 1200, replies, positive_replies, meetings: 0, clients: 0 }, open })
        .recommendations
    assert.deepStrictEqual(ask(14, 2), [
      "Have all 2 positive replies refused a meeting? They count so: enter those that have not as open.positive_replies."
    ])
    assert.deepStrictEqual(ask(14, 1), [
      "Has the positive reply refused a meeting? It counts so; if not, enter 1 as open.positive_replies."
    ])
    assert.deepStrictEqual(ask(14, 0), [
      "Have all 14 replies been read? None counts as positive: enter those still unread as open.replies."
    ])
    assert.notMatch([...ask(14, 2, { positive_replies: 1 }), ...ask(14, 0, { replies: 3 })].join(), /refused|been read/)
  })

  it("asks about automatic replies, instead of judging rates, if fewer than 7% are positive", () => {
    const ask = (replies: number, positive_replies: number) =>
      answerTo({ so_far: { emails_sent: 2000, replies, positive_replies, meetings: 0, clients: 0 } }).recommendations
    assert.deepStrictEqual(ask(100, 6).slice(0, -1), [
      "Do the 100 replies include automatic ones, such as out-of-office notices? Only 6 of them are positive: leave automatic ones out, and compare with the plan again."
    ])
    assert.match(ask(15, 0)[0] ?? "", /include automatic ones.*\? None of them is positive:/)
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
    assert.match(booked(7, 1000) ?? "", /^Send the rest: .* as 1,000 more emails/)
    assert.match(booked(10, 10_000) ?? "", /^Send the rest: .* as 10,000 more emails/)
    const tellable = { rate: "meeting_booking_rate", planned: underWay.plan.meeting_booking_rate } as const
    assert.strictEqual(against(underWay.plan, { ...tellable, cases: 60, passed: 7 }).verdict, "as_planned")
  })

  it("asks to add a campaign that is over to the past ones", () => {
    const so_far = { emails_sent: 5000, replies: 250, positive_replies: 75, meetings: 20, clients: 5 }
    assert.deepStrictEqual(answerTo({ so_far }).recommendations, [
      "The campaign is over: add it to your past campaigns, and your next forecast learns from 5,000 emails, 250 replies, 75 positive replies, 20 meetings and 5 clients. Keep the number of delivered emails and held meetings with it, too."
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
      "Stop: 4,000 more emails bring no client at these rates."
    )
    const weak = answerTo({
      so_far: { ...so_far, replies: 10, positive_replies: 4, meetings: 1 },
      open: { meetings: 1 },
      close_rate: 0
    })
    assert.deepStrictEqual(
      weak.recommendations.map((text) => text.split(",")[0]),
      ["Next time", "Stop: 4"]
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

describe("advice on the rest of a campaign", () => {
  const restOf = (plan: object, so_far: object, open: object = {}) =>
    answerTo({ ...plan, so_far, open }).recommendations.at(-1)

  it("compares what it brings with what it costs at the plan's cost per email", () => {
    assert.strictEqual(
      restOf(
        { ...rates(2, 18, 45, 20), average_deal_value: 6000, campaign_cost: 900 },
        { emails_sent: 1000, replies: 50, positive_replies: 14, meetings: 7, clients: 0 },
        { meetings: 7 }
      ),
      "Send the rest: about 29,900 in revenue for 720, as 4,000 more emails bring 5 clients on average."
    )
    assert.strictEqual(
      restOf(
        { emails_sent: 8000, ...rates(1.5, 12, 40, 15), average_deal_value: 900, campaign_cost: 1600 },
        { emails_sent: 4000, replies: 30, positive_replies: 2, meetings: 1, clients: 0 },
        { meetings: 1 }
      ),
      "Do not send the rest: it brings 146 on average and costs 800."
    )
  })

  it("says what it would have to bring or cost where either is unknown", () => {
    const so_far = { emails_sent: 2500, replies: 50, positive_replies: 9, meetings: 4, clients: 1 }
    const plan = rates(2, 18, 45, 20)
    const rest = (average_deal_value: number | null, campaign_cost: number | null) =>
      restOf({ ...plan, average_deal_value, campaign_cost }, so_far)
    const bring = "2,500 more emails bring 0.89 clients on average."
    assert.strictEqual(
      rest(null, 900),
      `Send the rest, which costs 450, only if a client is worth more than 506: ${bring}`
    )
    for (const cost of [null, 0]) {
      assert.strictEqual(rest(6000, cost), `Send the rest only if it costs less than 5,340: ${bring}`)
      assert.strictEqual(rest(null, cost), `Send the rest only if it is worth its cost: ${bring}`)
    }
  })

  it("is absent where something has to change before sending more", () => {
    const so_far = { emails_sent: 2000, replies: 3, positive_replies: 0, meetings: 0, clients: 0 }
    assert.deepStrictEqual(answerTo({ ...rates(2, 18, 45, 20), so_far }).recommendations, [
      "Before you change the list or the text, check whether your emails arrive: 2,000 emails with 3 replies or fewer are seen in 1 of 100 campaigns with this plan. Send some to inboxes of your own at Gmail and Outlook, check SPF, DKIM and DMARC, and look for your domain on blocklists."
    ])
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
