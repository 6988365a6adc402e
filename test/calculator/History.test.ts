import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { calculate } from "../../src/calculator/Calculation.ts"
import { columns, recognize } from "../../src/calculator/history/Columns.ts"
import {
  assignColumns,
  cellsOf,
  readHistory,
  shortened,
  tableOf,
  toShort
} from "../../src/calculator/history/PastRows.ts"
import { joinTable, splitCells, splitTable } from "../../src/calculator/history/Table.ts"
import { addressOf, valuesOf } from "../../src/calculator/Presets.ts"
import { type FormValues, readForm } from "../../src/calculator/readForm.ts"
import { importFault, importView } from "../../src/calculator/views/History.ts"
import { viewsOf } from "../../src/calculator/Views.ts"
import { decodeAssumptions } from "../../src/campaign/Assumptions.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { sampleValues } from "../support/Samples.ts"

const address = { baseUrl: "https://forecast.example", hasDemoKey: false }

const read = (values: FormValues) => readForm({ ...sampleValues, ...values })

const calculation = (values: FormValues) => {
  const { errors, input } = read(values)
  if (input === undefined) throw new Error(JSON.stringify(errors))
  return calculate(input)
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

describe("a pasted table", () => {
  it("can be separated by tabs, commas or semicolons, and quoted", () => {
    assert.deepStrictEqual(
      splitTable('\uFEFFa;b\r\n"1;""x""\n2";3\r\n;\r\n'),
      [
        ["a", "b"],
        ['1;"x" 2', "3"],
        ["", ""]
      ].slice(0, 2)
    )
    assert.deepStrictEqual(splitTable('Name,Sent\n"Smith, Jones",5'), [
      ["Name", "Sent"],
      ["Smith, Jones", "5"]
    ])
    assert.deepStrictEqual(splitTable("\tSent, all\n x \t5"), [
      ["", "Sent, all"],
      ["x", "5"]
    ])
    // An unclosed quote is part of its cell.
    assert.deepStrictEqual(splitTable('a\tb\n6" ad\t"5\n7\t8'), [
      ["a", "b"],
      ['6" ad', '"5'],
      ["7", "8"]
    ])
    assert.deepStrictEqual(splitTable(""), [])
    // In cells, empty rows keep their place; a comma is part of a number.
    assert.deepStrictEqual(splitCells("1,200\r\n\r\n5\t 6\r\n"), [["1,200"], [""], ["5", "6"]])
  })

  it("stays the same when it is written and read again", () => {
    const rows = [
      ["a", 'say "x"', ""],
      ['"', "b, c", "1"]
    ]
    assert.deepStrictEqual(splitTable(joinTable(rows)), rows)
  })
})

describe("past campaigns in an address", () => {
  it("are refused quickly, however many there are", () => {
    const module = new URL("../../src/calculator/history/PastRows.ts", import.meta.url).href
    const script = `
      import { readHistory } from ${JSON.stringify(module)}
      console.log(readHistory("1.1.1.1.1.1.1_".repeat(1000)).errors.length)`
    // In a separate process, which can be killed: a single regular expression took seven times as long for each further campaign.
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
      timeout: 60_000
    })
    assert.strictEqual(stdout, "1\n")
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
    for (const { label, name } of columns) {
      assert.strictEqual(recognize(label)?.column, name)
      assert.strictEqual(recognize(name)?.column, name)
    }
  })

  it("are used once per count: emails before contacts, otherwise the first", () => {
    assert.deepStrictEqual(assignColumns(["Contacted", "Sent", "Replies", "Replied", "x"]), [
      undefined,
      "emails_sent",
      "replies",
      undefined,
      undefined
    ])
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
    assert.deepStrictEqual(readHistory(short).campaigns, past)
    const values = { ...sampleValues, history: pasted }
    const link = addressOf(values)
    assert.include(link, "&history=4200..210.58.11..3.Mar%2C+SaaS+Benelux_3100..96.24.4..0.Apr_3600..148")
    const again = readForm(valuesOf(new URLSearchParams(link.slice(2))))
    assert.deepStrictEqual(again.input?.first.assumptions.history, past.slice(0, 3))
    assert.strictEqual(readHistory(tableOf(readHistory(short).rows)).campaigns.length, 4)
    // Invalid input stays as it was typed.
    assert.strictEqual(shortened("Sent\nabc"), "Sent\nabc")
  })

  it("keep a first column without a name in its place", () => {
    const values = valuesOf(new URLSearchParams({ ...sampleValues, history: "\tSent\tReplies\nMarch\t3200\t61" }))
    assert.deepStrictEqual(readForm(values).input?.first.assumptions.history, [{ emails_sent: 3200, replies: 61 }])
  })

  it("report errors by row and column, and calculate nothing", () => {
    const table = "Sent\tReplies\tPositive\tClients\n3200\t61\t70\t1\nabc\t-1\t1.5\t\n\t5\t\t\n100\t5\t5\t2"
    assert.deepStrictEqual(errorsOf(table), {
      "/history/0/positive_replies": "must be at most the number of replies",
      "/history/1/emails_sent": "must be a number; write it like 120",
      "/history/1/replies": "must be at least 0",
      "/history/1/positive_replies": "must be a whole number",
      "/history/2/emails_sent": "is missing"
    })
    assert.isUndefined(read({ history: table }).input)
    assert.deepStrictEqual(errorsOf("March\t3200\t61"), {
      "/history": "must have a first row that names the columns, such as Emails sent, Replies, Positive replies"
    })
    assert.deepStrictEqual(errorsOf(`Sent\tReplies\n${"100\t5\n".repeat(101)}`), {
      "/history": "must have at most 100 campaigns, not 101"
    })
    assert.deepStrictEqual(errorsOf("Sent\tClients\n100\t5"), {
      "/history": "have nothing to learn from: a rate needs both of its counts, such as emails sent and replies"
    })
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
    assert.include(summary, `, and ${record?.clients_within} of the 4 with all counts within that of clients`)
    assert.include(
      summary,
      `<strong>Reply rate:</strong> ${Math.round(forecast.outlook.rates.reply_rate.expected * 100) / 100}% on average from 5 campaigns, not 5%`
    )
    assert.include(views["goal-answer"].text, "that was learned")
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

describe("an imported table, before it is added", () => {
  const [header = [], ...rows] = splitTable("Name\tContacted\tReplies\tOwner\nMarch\t3200\t61\tAda")

  it("shows how each column is used, and lists those that are not", () => {
    const { text } = importView({ header, assigned: assignColumns(header), rows })
    assert.match(
      text,
      /Contacted <span class="optional">3200<\/span><\/label><select [^>]*>.*?<option value="emails_sent" selected>/
    )
    assert.include(text, "Not used: “Owner”.")
    assert.include(text, "“Contacted”: counts of contacts, not of emails.")
    assert.include(text, ">Add 1 campaign</button>")
    assert.notInclude(text, "disabled")
  })

  it("cannot be added without emails, with two columns for one count, or with a row for each contact", () => {
    assert.strictEqual(
      importFault({ header, assigned: ["name", undefined, "replies", undefined], rows }),
      "Choose the column that has the emails sent."
    )
    assert.strictEqual(
      importFault({ header, assigned: ["name", "emails_sent", "replies", "replies"], rows }),
      "Two columns are used for replies: choose one."
    )
    assert.strictEqual(
      importFault({ header, assigned: assignColumns(header), rows: [] }),
      "There are no rows below the names of the columns."
    )
    assert.strictEqual(
      importFault({
        header,
        assigned: assignColumns(header),
        rows: Array.from({ length: 5000 }, () => ["a", "1", "0"])
      }),
      "There can be at most 100 campaigns, not 5,000: choose an export with a row for each campaign, not for each contact."
    )
    assert.deepStrictEqual(cellsOf(["name", "emails_sent", undefined, undefined], rows), [
      { name: "March", emails_sent: "3200" }
    ])
  })
})
