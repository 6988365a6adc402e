import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { calculate } from "../../../src/extensions/calculator/Calculation.ts"
import { recognize } from "../../../src/extensions/tables/ColumnNames.ts"
import { columns, labelOf } from "../../../src/extensions/tables/Columns.ts"
import { campaignsIn, readHistory, shortened, tableOf, toShort } from "../../../src/extensions/tables/PastRows.ts"
import { readPastedForm } from "../../../src/extensions/calculator/readPastedForm.ts"
import { addressOf, valuesOf } from "../../../src/extensions/calculator/Presets.ts"
import { readForm } from "../../../src/extensions/calculator/readForm.ts"
import { viewsOf } from "../../../src/extensions/calculator/Views.ts"
import { decodeAssumptions } from "../../../src/campaign/Assumptions.ts"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { sampleValues } from "../support/sampleValues.ts"
import { computeProgress } from "../../../src/extensions/progress/Progress.ts"
import type { FormValues } from "../../../src/site/form.ts"

const address = { baseUrl: "https://forecast.example", hasDemoKey: false }

const read = (values: FormValues) => readPastedForm({ ...sampleValues, ...values })

const calculation = (values: FormValues) => {
  const { errors, input } = read(values)
  if (input === undefined) throw new Error(JSON.stringify(errors))
  return calculate(input, computeProgress)
}

const errorsOf = (history: string) =>
  Object.fromEntries(read({ history }).errors.map(({ message, pointer }) => [pointer, message]))

const past = [
  { name: "Mar, SaaS Benelux", emails_sent: 4200, replies: 210, positive_replies: 58, meetings: 11, clients: 3 },
  { name: "Apr", emails_sent: 3100, replies: 96, positive_replies: 24, meetings: 4, clients: 0 },
  { emails_sent: 3600, replies: 148 },
  { name: "1.5_*x", emails_sent: 5200, delivered: 5000, replies: 468, meetings_held: 0 }
]

const pasted = `Campaign\tSent\tReply count\tOwner\tInterested\tMeetings booked\tWon
Mar, SaaS Benelux\t4,200\t210\tAda\t58\t11\t3
Apr\t3100\t96\tAda\t24\t4\t0

\t3600\t148`

describe("past campaigns in an address", () => {
  it("are refused quickly, however many there are", () => {
    const module = new URL("../../../src/extensions/tables/PastRows.ts", import.meta.url).href
    const script = `
      import { readHistory } from ${JSON.stringify(module)}
      console.log(readHistory("1.1.1.1.1.1.1_".repeat(100)).rows.length)`
    // In a separate process, which can be killed: a single regular expression took seven times as long for each further campaign.
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
      timeout: 60_000
    })
    assert.strictEqual(stdout, "0\n")
  })
})

describe("the names of columns", () => {
  it("include those of known exports, however they are spelled", () => {
    const taken = (name: string) => recognize(name)?.column
    for (const name of ["Emails sent", "emails_sent_count", "Sent", "messagesSent", "Contacted", "unique_sent_count"])
      assert.strictEqual(taken(name), "emails_sent", name)
    for (const name of ["Replies", "Reply count", "Replied", "reply_count_unique", "responded", "nbLeadsAnswered"])
      assert.strictEqual(taken(name), "replies", name)
    for (const name of ["Positive replies", "Positive Reply", "Interested", "total_interested"])
      assert.strictEqual(taken(name), "positive_replies", name)
    for (const name of ["Meetings booked", "meetingBooked", "total_meeting_booked"])
      assert.strictEqual(taken(name), "meetings", name)
    for (const name of ["Opportunities won", "Closed won", "total_closed"])
      assert.strictEqual(taken(name), "clients", name)
    assert.isTrue(recognize("contacted_prospects")?.isOfContacts)
    assert.isFalse(recognize("sent")?.isOfContacts)
  })

  it("are never guessed: rates, opens and ambiguous names are not used", () => {
    for (const name of [
      "Reply rate",
      "Replied %",
      "Opened",
      "Opportunities",
      "Sent at",
      "Not interested",
      "Bounced",
      ""
    ])
      assert.isUndefined(recognize(name), name)
  })

  it("include those of this page and of the API", () => {
    for (const name of columns) {
      const label = labelOf(name)
      assert.strictEqual(recognize(label)?.column, name)
      assert.strictEqual(recognize(name)?.column, name)
    }
  })
})

describe("past campaigns in the form", () => {
  it("are read from a table as they are from JSON, with the same result", () => {
    const { forecast, input } = calculation({ history: pasted, delivery_rate: "95" })
    const decoded = decodeAssumptions({
      emails_sent: 5000,
      reply_rate: 5,
      positive_reply_rate: 30,
      meeting_booking_rate: 20,
      close_rate: 25,
      average_deal_value: 2500,
      campaign_cost: 600,
      delivery_rate: 95,
      history: past.slice(0, 3)
    })
    const assumptions = Result.getOrThrow(decoded)
    assert.deepStrictEqual(input.first.assumptions.history, assumptions.history)
    assert.deepStrictEqual(forecast, computeForecast(assumptions).forecast)
  })

  it("fit into the address in little space, completely", () => {
    const short = toShort(past)
    assert.strictEqual(
      short,
      "4200..210.58.11..3.Mar, SaaS Benelux_3100..96.24.4..0.Apr_3600..148_5200.5000.468...0..1.5*1*0x"
    )
    assert.deepStrictEqual(campaignsIn(short), past)
    const { values } = read({ history: pasted })
    const link = addressOf(values)
    assert.include(link, "&history=4200..210.58.11..3.Mar%2C+SaaS+Benelux_3100..96.24.4..0.Apr_3600..148")
    const again = readForm(valuesOf(new URLSearchParams(link.slice(2))))
    assert.deepStrictEqual(again.input?.first.assumptions.history, past.slice(0, 3))
    assert.strictEqual(campaignsIn(tableOf(readHistory(short).rows)).length, 4)
    // Invalid input stays as it was typed.
    assert.strictEqual(shortened("Sent\nabc"), "Sent\nabc")
  })

  it("keep a first column without a name in its place", () => {
    const values = valuesOf(new URLSearchParams({ ...sampleValues, history: "\tSent\tReplies\nMarch\t3200\t61" }))
    assert.deepStrictEqual(readPastedForm(values).input?.first.assumptions.history, [
      { name: "March", emails_sent: 3200, replies: 61 }
    ])
  })

  it("report errors by row and column, and calculate nothing", () => {
    const typed = [
      { emails_sent: "3200", replies: "61", positive_replies: "70", clients: "1" },
      { emails_sent: "abc", replies: "-1", positive_replies: "1.5" },
      { replies: "5", positive_replies: "—" },
      { emails_sent: "100", replies: "5%", positive_replies: "$5", clients: "2" },
      { emails_sent: "5.000", replies: "\u200e210" }
    ]
    assert.deepStrictEqual(errorsOf(tableOf(typed)), {
      "/history/0/positive_replies": "must be at most the number of replies",
      "/history/1/emails_sent": "must be a number; write it like 120",
      "/history/1/replies": "must be from 0 to 100,000,000",
      "/history/1/positive_replies": "must be a whole number",
      "/history/2/emails_sent": "is missing",
      "/history/3/replies": "must be a number, not a percentage; write it like 120",
      "/history/3/positive_replies": "must be a number, not an amount of money; write it like 120"
    })
    assert.isUndefined(read({ history: tableOf(typed) }).input)
    assert.deepStrictEqual(campaignsIn(tableOf(typed.slice(4))), [{ emails_sent: 5000, replies: 210 }])
    assert.deepStrictEqual(errorsOf(`${tableOf([{}])}${"\n\t100".repeat(101)}`), {
      "/history": "must have at most 100 campaigns"
    })
    assert.deepStrictEqual(errorsOf(tableOf([{ emails_sent: "100", clients: "5" }])), {
      "/history":
        "have nothing to learn from: a rate between 0 and 100 needs a past campaign with both of its counts, such as emails sent and replies"
    })
  })

  it("are not calculated with, if the page would have to ask about a pasted table", () => {
    assert.deepStrictEqual(errorsOf("Campaign,Contacted,Replies\nMarch,800,20"), {
      "/history": "cannot be used: “Contacted” counts contacts, not emails. How many emails did each contact get?"
    })
    assert.deepStrictEqual(errorsOf("March\t3200\t61"), {
      "/history": "cannot be used: Choose the column that has the emails sent, or the contacts."
    })
    assert.deepStrictEqual(read({ history: "Campaign,Sent,Replies\nMarch,3200,61\nTotal,3200,61" }).said, [
      "“Total” is left out: the total of the others, which the forecast refuses."
    ])
  })

  it("are summarized in words: what was learned from them, and how well they predict each other", () => {
    const rows = "4200..210.58.11..3_3100..96.24.4..0_3600..148.47.10..2_5200..468.134.27..7_2800..172"
    const values = { history: rows }
    const views = viewsOf(calculation(values), address)
    assert.include(views["history-sums"].text, "<td>All 5</td><td>18,900</td><td></td><td>1,094</td><td>263</td>")
    const { forecast } = calculation(values)
    const { high, low } = forecast.outlook.replies
    const without = calculation({}).forecast.outlook.replies
    const summary = views["history-answer"].text
    assert.include(
      summary,
      `Expect ${low} to ${high} replies to the next 5,000 emails, instead of ${without.low} to ${without.high}`
    )
    const record = forecast.track_record
    assert.include(summary, `${record?.replies_within} of your last 5 ended within the range of replies`)
    assert.include(summary, `For clients: ${record?.clients_within} of the 4 with all counts.`)
    assert.include(
      summary,
      `<strong>Reply rate:</strong> ${Math.round(forecast.outlook.rates.reply_rate.expected * 100) / 100}% on average from 5 campaigns, not 5%`
    )
    assert.include(views["goal-levers"].text, "that was learned")
    // Each of them with its range and what came, also one without a name or clients.
    const rowsOf = (text: string) => text.match(/<tr><th scope="row">.*?<\/tr>/g) ?? []
    const words = rowsOf(summary).map((row) =>
      row
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim()
    )
    const [first, , , fourth, fifth] = record?.each ?? []
    assert.deepStrictEqual(
      [words[0], words[3], words[4]],
      [
        `Campaign 1 4,200 210 ${first?.replies.low} to ${first?.replies.high}: within 3 0 to ${first?.clients?.high}: within`,
        `Campaign 4 5,200 468 ${fourth?.replies.low} to ${fourth?.replies.high}: above 7 0 to ${fourth?.clients?.high}: within`,
        `Campaign 5 2,800 172 ${fifth?.replies.low} to ${fifth?.replies.high}: within – –`
      ]
    )
    const few = viewsOf(calculation({ history: "3600..148_100..5" }), address)["history-answer"].text
    assert.include(few, "With 3 or more campaigns")
    assert.include(few, "<strong>Close rate:</strong> 25% as given: none of these campaigns has both of its counts")
  })

  it("apply to each of two campaigns that are compared", () => {
    const { second } = calculation({ history: toShort(past), b_reply_rate: "8" })
    const alone = calculation({ history: toShort(past), reply_rate: "8" })
    assert.deepStrictEqual(second?.forecast, alone.forecast)
  })
})
