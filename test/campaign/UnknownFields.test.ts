import { assert, describe, it } from "@effect/vitest"
import { aliases, Assumptions } from "../../src/campaign/Assumptions.ts"
import { unknownFieldAdvice } from "../../src/campaign/UnknownFields.ts"

describe("unknownFieldAdvice", () => {
  it("gives no advice on a known field", () => {
    for (const name of [...Object.keys(Assumptions.fields), ...aliases.keys()]) {
      assert.isUndefined(unknownFieldAdvice(name), name)
    }
  })

  it("suggests only fields that exist", () => {
    const names = [
      "bounce_rate",
      "contacts",
      "followUps",
      "deal-size",
      "cost_per_email",
      "meeting_rate",
      "no_show_rate"
    ]
    for (const name of names) {
      const [field = ""] = /\b[a-z]+(?:_[a-z]+)+\b/.exec(unknownFieldAdvice(name) ?? "") ?? []
      assert.property(Assumptions.fields, field, name)
    }
  })

  it("says to move the fields of a campaign out of an object of their own", () => {
    for (const name of ["plan", "campaign", "rates", "params"]) {
      for (const value of [{ reply_rate: 5 }, { replyRate: 5 }]) {
        assert.include(unknownFieldAdvice(name, "", value), "move its fields out of it", name)
      }
    }
    assert.include(unknownFieldAdvice("campaign", "", "Agencies"), "a forecast has no name")
  })

  /** Names that callers are likely to send, by a text that the advice must contain. */
  const meant: Readonly<Record<string, ReadonlyArray<string>>> = {
    "send delivery_rate": ["bounce_rate", "bounced", "delivered", "inbox_rate"],
    "send show_rate": ["no_show_rate", "attendance_rate"],
    emails_per_contact: ["leads", "list_size", "follow_ups", "touches"],
    "send reply_rate": ["replies", "responses"],
    "as reply_rate": ["response_rate"],
    "send positive_reply_rate": ["interested", "positive_replies"],
    "as positive_reply_rate": ["interest_rate"],
    "send meeting_booking_rate": ["demos", "meetings_booked", "booked_rate"],
    "send close_rate": ["customers", "deals_won"],
    "as close_rate": ["win_rate"],
    "the rate of each step": ["conversion_rate"],
    "as average_deal_value": ["ltv", "lifetime_value", "acv", "price", "margin"],
    "send average_deal_value": ["mrr", "currency"],
    "computed from average_deal_value": ["revenue", "roi"],
    "as campaign_cost": ["budget", "ad_spend"],
    "send campaign_cost": ["cost_per_email"],
    "computed from campaign_cost": ["cpl", "cac"],
    "opens bring no client": ["open_rate"],
    "clicks bring no client": ["ctr"],
    "people who unsubscribe do not reply": ["opt_outs"],
    "emails in a spam folder get no reply": ["spam_rate"],
    "the forecast depends only on your rates": ["industry", "persona"],
    "a forecast has no name": ["Name", "NAME", "campaign_name", "title", "Company"],
    "how many mailboxes": ["inboxes", "daily_limit"],
    "however long it takes": ["duration", "start_date"],
    "send them as history": ["past_campaigns"],
    "the header x-api-key": ["api_key"],
    "the header Idempotency-Key": ["idempotency_key"]
  }

  it("says what to send instead of a common synonym, or why to leave it out", () => {
    for (const [words, names] of Object.entries(meant)) {
      for (const name of names) assert.include(unknownFieldAdvice(name) ?? "nothing", words, name)
    }
  })

  it("recognizes a name in any spelling, but only as a whole", () => {
    const advice = unknownFieldAdvice("cost_per_email")
    for (const name of [
      "costPerEmail",
      "CostPerEmail",
      "Cost per Email",
      "cost-per-email",
      "COST_PER_EMAIL",
      "Cost - per  email"
    ]) {
      assert.strictEqual(unknownFieldAdvice(name), advice, name)
    }
    for (const name of ["", "cost", "cost_per_email_2", "constructor"])
      assert.isUndefined(unknownFieldAdvice(name), name)
  })

  it("repeats only numbers of evidence, whatever else is in it", () => {
    let deep: unknown = 5
    for (let depth = 0; depth < 20_000; depth++) deep = [deep]
    const advice = unknownFieldAdvice("evidence", "", { reply_rate: { observed: deep, out_of: 800 }, close_rate: deep })
    assert.include(advice ?? "", 'like [{"emails_sent":800}]')
  })
})
