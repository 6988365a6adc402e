import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { listCalculation } from "../../../src/extensions/calculator/calculatedPages.ts"
import { isListed } from "../../../src/extensions/calculator/list/listColumns.ts"
import { listRows } from "../../../src/extensions/calculator/list/listRows.ts"
import { findTable, gridOf } from "../../../src/extensions/tables/Layout.ts"
import { shortAbout } from "../../../src/text/Figures.ts"
import { browserObstacle, follow, inspect, openPage, SharedService } from "../../support/Browser.ts"
import { accessApplication, issueKey, post, send } from "../../support/Http.ts"
import { slowly } from "../../support/slowly.ts"

const table = `Q1 plan
Campaign\tEmails sent\tReply rate (%)\tPositive reply rate\tMeeting booking rate\tClose rate\tDeal value\tCost\tOwner
Agencies\t5,000\t2.5%\t20%\t45%\t20%\t€4,000\t900\tAda
Shops\t8,000\t1,4%\t14%\t40%\t25%\t€4,000\t900\tBob
Founders\t1.2k\t3.2%\t25%\t50%\t20%\t4.000,00 €\t€600\tAda`

const campaigns = [
  ["Agencies", 5000, 2.5, 20, 45, 20, 900],
  ["Shops", 8000, 1.4, 14, 40, 25, 900],
  ["Founders", 1200, 3.2, 25, 50, 20, 600]
].map(([name, emails_sent, reply_rate, positive_reply_rate, meeting_booking_rate, close_rate, campaign_cost]) => ({
  name,
  emails_sent,
  reply_rate,
  positive_reply_rate,
  meeting_booking_rate,
  close_rate,
  campaign_cost,
  average_deal_value: 4000
}))

const Answer = Schema.Struct({
  totals: Schema.Struct({ estimated_clients: Schema.Number, estimated_profit: Schema.Number }),
  ranking: Schema.Struct({ order: Schema.Array(Schema.String) })
})

it("the ranking of a list is computed in short steps, between which others have their turn", () => {
  const address = { baseUrl: "https://forecast.example", hasDemoKey: false }
  const computed = listCalculation.steps({
    path: "/list",
    form: { values: { list: table } },
    address,
    day: "1 January 2026"
  })
  let steps = 0
  while (computed.next().done !== true) steps++
  assert.isAbove(steps, 2 * campaigns.length)
})

// Where each of these rows is compared with all others, that takes longer than a test may.
it("the rows of a long list are compared with their sums", () => {
  const { header, hasHeader, isTurned, rows, tooLong } = findTable(gridOf(table), isListed)
  const many = Array.from({ length: 20_000 }, (_, index) => ({ line: 10 + index, cells: rows[0]?.cells ?? [] }))
  const found = listRows(
    { header, hasHeader, isTurned, tooLong, rows: many },
    { chosen: undefined, emailsPerContact: undefined, meaning: undefined }
  )
  assert.strictEqual("rows" in found ? found.rows.filter(({ isIn }) => isIn).length : 0, many.length)
})

let clients = 0

/** Sends a list as a new client, and follows the redirect to its link, if it has one. */
const paste = Effect.fnUntraced(function* (
  list: string,
  from?: string,
  others: ReadonlyArray<readonly [string, string]> = []
) {
  const headers: Readonly<Record<string, string>> = { "x-forwarded-for": from ?? `192.0.2.${++clients}` }
  const body = new URLSearchParams({ list })
  for (const [name, value] of others) body.append(name, value)
  const response = yield* send("/list", { method: "POST", body, headers })
  const link = response.headers.get("location")
  const { status, text } = link === null ? response : yield* send(link, { headers })
  return { link, status, text }
})

layer(accessApplication({ env: { CALCULATION_MILLIS_PER_MINUTE: "2000" } }))("a list of campaigns at /list", (it) => {
  it.effect("asks whether the campaigns are one sender's, and keeps the answer in the link", () =>
    Effect.gen(function* () {
      const [one, several] = [yield* paste(table), yield* paste(table, undefined, [["independent", "yes"]])]
      assert.match(one.text, /taken as one sender[^]*One sender, or different clients\?/)
      assert.notMatch(one.text, /name="independent" value="yes" checked/)
      assert.match(several.link ?? "", /&independent=yes&end=1$/)
      assert.match(several.text, /name="independent" value="yes" checked/)
      assert.match(several.text, /taken as those of different clients/)
    })
  )

  it.effect("has the ranking and totals of the API, free, at an address to share", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey(3)
      const { json } = yield* post("/api/v1/forecasts", { key: secret, body: JSON.stringify({ campaigns }) })
      const { ranking, totals } = Schema.decodeUnknownSync(Answer)(json)
      const { link, status, text } = yield* paste(`${table}\nTotal\t14,200\t\t\t\t\t\t2,400`)
      assert.strictEqual(status, 200)
      assert.match(link ?? "", /^\/list\?link=1&list=.*&end=1$/)
      const order = [...text.matchAll(/<th scope="row">\d\. <a href="[^"]*">([^<]*)</g)].map(([, name]) => name)
      assert.deepStrictEqual(order, [...ranking.order])
      assert.include(text, `<strong>€${shortAbout(totals.estimated_profit)}</strong>`)
      assert.include(text, `<strong>${totals.estimated_clients.toFixed(2)}</strong>`)
      assert.match(text, /<span>\d+ of 100 <span class="soft">equal in \d+<\/span><\/span>/)
      assert.include(text, "Not used: “Owner”.")
      const long = yield* paste(table.replace("Agencies", "Agencies ".repeat(10)))
      assert.include(long.text, `${"Agencies ".repeat(6)}Agenc…`)
      assert.match(text, /<a href="\/\?link=1&amp;emails_sent=5%2C000&amp;[^"]*currency=EUR&amp;end=1">Agencies</)
      assert.include(text, '<meta name="robots" content="noindex">')
    })
  )

  it.effect("reads 5.000 as thousands beside a decimal comma", () =>
    Effect.gen(function* () {
      const header = "Name;Emails sent;Reply rate;Positive reply rate;Meeting booking rate;Close rate;Deal value;Cost"
      const { status, text } = yield* paste(
        `${header}\nA;5.000;2,5 %;20 %;45 %;20 %;4.000 €;900 €\nB;8.000;2;20;40;25;4.000;900`
      )
      assert.strictEqual(status, 200, text)
      assert.include(text, "emails_sent=5000&amp;")
      assert.include(text, "average_deal_value=4000&amp;")
      // Neither cell tells how the other is meant.
      const { text: unclear } = yield* paste(`${header}\nA;5.000;2.5;20;45;20;4000;900`)
      assert.include(unclear, "Line 2, emails sent: can be read as 5 or as 5000")
    })
  )

  it.effect("knows names and emails by the names that past campaigns have, and prefers its own", () =>
    Effect.gen(function* () {
      const rates = "Response rate,Positive reply rate,Meeting booking rate,Close rate"
      for (const [header, name] of [
        [`Subject line,Sequence,Email,Outreach sent,${rates}`, "A"],
        [`Owner,List,Contacted,Messages sent,${rates}`, "A"],
        [`,Owner,Opened,Sent,${rates}`, "Hi"],
        [`Scenario,Client,Opened,Sent,${rates}`, "Hi"]
      ]) {
        const { status, text } = yield* paste(`${header}\nHi,A,a@b.example,5000,2,20,40,25`)
        assert.strictEqual(status, 200, text)
        assert.match(text, new RegExp(`<a href="[^"]*emails_sent=5000&amp;reply_rate=2&amp;[^"]*">${name}</a>`))
      }
    })
  )

  it.effect("shows every row with a box, and says why a total is left out", () =>
    Effect.gen(function* () {
      const withTotal = `${table}\nTotal\t14,200\t2%\t20\t45\t20\t€4,000\t2,400\nOverall\t3,000\t2%\t20\t45\t20\t€4,000\t500`
      const { text } = yield* paste(withTotal)
      const boxes = [...text.matchAll(/<input type="checkbox" name="rows" value="(\d+)"( checked| disabled)?/g)]
      assert.deepStrictEqual(
        boxes.map(([, line, state]) => `${line}${state ?? ""}`),
        ["3 checked", "4 checked", "5 checked", "6 disabled", "7"]
      )
      assert.include(text, "2 rows are left out, for the reasons below.")
      // The API refuses it, too.
      assert.match(text, /> Total<\/label>[^]*Left out: the total of the others, which would count twice\./)
      assert.match(text, /> Overall<\/label>[^]*Left out: called a total\./)
      const nameless = yield* paste(withTotal.replace("Total", "").replace(/\nOverall.*/, ""))
      assert.match(nameless.text, /> Line 6<\/label>[^]*Left out: the total of the others, which would count twice\./)
      const rows = ["0", "3", "6", "7"].map((line) => ["rows", line] as const)
      const chosen = yield* paste(withTotal, undefined, rows)
      assert.include(chosen.link ?? "", "&rows=0.3.6.7&")
      const order = [...chosen.text.matchAll(/<th scope="row">\d\. <a href="[^"]*">([^<]*)</g)].map(([, name]) => name)
      assert.deepStrictEqual(order, ["Agencies", "Overall"])
      assert.include(chosen.text, "Taken in, although called a total.")
      const ofAll = withTotal.replace(/\nTotal.*/, "") + "\nTotal\t17,200\t2%\t20\t45\t20\t€4,000\t2,900"
      const all = ["0", "3", "4", "5", "6", "7"].map((line) => ["rows", line] as const)
      const twice = yield* paste(ofAll, undefined, all)
      assert.match(twice.text, /> Overall<\/label>[^]*Taken in, although called a total\./)
      assert.match(twice.text, /> Total<\/label>[^]*Left out: the total of the others, which would count twice\./)
      // Without its parts, it is a row like any other.
      const parts = yield* paste(withTotal, undefined, [
        ["rows", "0"],
        ["rows", "7"]
      ])
      assert.match(parts.text, /value="6" aria-describedby="row-6-why"> Total<\/label>[^]*Left out: called a total\./)
      const whole = yield* paste(withTotal, undefined, [
        ["rows", "0"],
        ["rows", "6"]
      ])
      assert.match(whole.text, /<th scope="row">1\. <a href="[^"]*">Total</)
      const none = yield* paste(withTotal, undefined, [["rows", "0"]])
      assert.include(none.text, "Choose at least one row.")
      // What is wrong in a row does not matter once it is left out.
      const wrong = yield* paste(table.replace("2.5%", "250%"))
      assert.include(wrong.text, 'name="rows" value="3" checked')
      const without = [
        ["rows", "0"],
        ["rows", "4"],
        ["rows", "5"]
      ] as const
      assert.strictEqual((yield* paste(table.replace("2.5%", "250%"), undefined, without)).status, 200)
    })
  )

  it.effect("knows short names of rates, as far as these can be no counts", () =>
    Effect.gen(function* () {
      for (const list of [
        "Name,Sent,Reply,Positive,Booking,Close\nA,5000,2.5%,20%,45%,20%",
        "Campaign,Emails,Reply %,Positive %,Meeting %,Win rate\nA,5000,2.5,20,45,20",
        "Campaign,Sent,Reply,Positive,Meetings,Clients\nA,5000,2.5,20,45,20",
        "Kampagne;Versendet;Antwortquote;Positivquote;Terminquote;Close\nA;5000;2.5;20;45;20%"
      ]) {
        const { status, text } = yield* paste(list)
        assert.strictEqual(status, 200, text)
        assert.match(
          text,
          /reply_rate=2.5&amp;positive_reply_rate=20&amp;meeting_booking_rate=45&amp;close_rate=20&amp;/
        )
      }
      const { text } = yield* paste("Campaign,Sent,Reply,Positive,Meetings,Clients\nA,5000,2.5,20,45,20")
      assert.include(text, "“Reply”, “Positive”, “Meetings” and “Clients” are taken as percentages: counts are whole")
      const { text: one } = yield* paste("Name,Sent,Reply rate,Positive rate,Booking rate,Close\nA,5000,2.5,20,45,20")
      assert.include(one, "Are these numbers percentages, not counts of people?")
      const unclear = "Name,Sent,Reply,Positive,Booking,Close\nA,5000,40,30,20,10"
      const asked = yield* paste(unclear)
      assert.include(asked.text, "Are these numbers percentages, not counts of people?")
      const answered = yield* paste(unclear, undefined, [["numbers", "percent"]])
      assert.include(answered.text, "reply_rate=40&amp;positive_reply_rate=30&amp;")
    })
  )

  it.effect("takes rows without a header in the order of the form, and says so", () =>
    Effect.gen(function* () {
      const { status, text } = yield* paste(
        "Agencies,5000,2.5%,1 in 5,45%,20%,4000,900\nShops,8000,1.4,14,40,25,4000,900"
      )
      assert.strictEqual(status, 200, text)
      assert.include(
        text,
        "The first line names no columns, so they are taken in the order of the form: name, emails sent,"
      )
      assert.include(text, "reply_rate=2.5&amp;positive_reply_rate=20&amp;")
      const { text: unclear } = yield* paste("Agencies,5000,40,30,20,10")
      assert.include(unclear, "Are these numbers percentages, not counts of people?")
      assert.include(unclear, "If they are counts, add a first line that names the columns.")
    })
  )

  it.effect("ranks past campaigns by the rates that their counts show, if it is asked to", () =>
    Effect.gen(function* () {
      const counts =
        "Campaign,Emails sent,Delivered,Replies,Positive replies,Meetings,Clients,Cost\nA,1000,950,38,19,10,2,€300\nB,2000,1900,20,10,5,1,€500\nTotal,3000,2850,58,29,15,3,€800"
      const asked = yield* paste(counts)
      assert.strictEqual(asked.status, 200)
      assert.include(asked.text, "These are counts. Rank the campaigns by the rates that they show?")
      assert.notInclude(asked.text, 'class="ranking"')
      const { link, text } = yield* paste(counts, undefined, [["numbers", "counts"]])
      assert.include(link ?? "", "&numbers=counts&")
      assert.match(
        text,
        /emails_sent=1000&amp;delivery_rate=95&amp;reply_rate=4&amp;positive_reply_rate=50&amp;meeting_booking_rate=52\.6316&amp;close_rate=20&amp;campaign_cost=300&amp;/
      )
      assert.include(text, "at the rates that its counts show")
      assert.match(text, /> Total<\/label>[^]*Left out: /)
      const { text: without } = yield* paste("Campaign,Sent,Replies,Clients\nA,1000,40,n/a\nB,2000,20,1", undefined, [
        ["numbers", "counts"]
      ])
      assert.match(without, /value="2" disabled[^]*Left out: its clients are unknown\./)
      // A client is whom a campaign was for, not how many it won.
      const ofClients =
        "Campaign,Client,Sent,Replies,Positive,Booked,Signed\nA,Acme,1000,40,20,9,2\nB,Zeta,2000,20,6,4,1"
      assert.include(
        (yield* paste(ofClients)).text,
        "These are counts. Rank the campaigns by the rates that they show?"
      )
      // 1.200 emails are no decimal number, so these are no percentages.
      const german = "Kampagne;Versendet;Antworten;Positive Antworten;Termine;Kunden\nA;1.200;40;10;5;1\nB;900;20;6;3;1"
      assert.include((yield* paste(german)).text, "These are counts.")
      const incomplete = yield* paste("Campaign,Sent,Open rate,Reply rate\nA,5000,50%,1%")
      assert.include(incomplete.text, "There is none for positive reply rate, meeting booking rate and close rate.")
      const mixed = yield* paste("Campaign,Emails sent,Reply rate,Meetings,Clients\nA,5000,2.5%,11,2", undefined, [
        ["numbers", "counts"]
      ])
      assert.include(mixed.text, "reply_rate=2.5&amp;positive_reply_rate=100&amp;meeting_booking_rate=8.8&amp;")
      assert.notInclude(mixed.text, "Not used")
      const ticked = yield* paste(counts, undefined, [
        ["numbers", "counts"],
        ["rows", "0"],
        ["rows", "3"]
      ])
      assert.lengthOf([...ticked.text.matchAll(/<th scope="row">/g)], 1)
      const small = yield* paste("Campaign,Sent,Replies,Positive,Meetings,Clients\nA,500,40,20,10,5")
      assert.match(
        small.text,
        /value="counts">Rank them by these rates<[^]*value="percent" class="plain">They are percen/
      )
      const lacking = yield* paste("Campaign,Sent,Replies,Clients\nA,1000,40,\nB,2000,20,1", undefined, [
        ["numbers", "counts"]
      ])
      assert.include(lacking.text, "Does empty mean 0? Change the table so that it says so.")
    })
  )

  it.effect("learns the rates of all campaigns from past ones, as the API does", () =>
    Effect.gen(function* () {
      const past = [40, 12, 25, 33].map((replies, index) => ({
        name: `Past ${index}`,
        emails_sent: 1000,
        replies,
        positive_replies: 8,
        meetings: 4,
        clients: index % 2
      }))
      const { secret } = yield* issueKey(3)
      const { json } = yield* post("/api/v1/forecasts", {
        key: secret,
        body: JSON.stringify({ campaigns, history: past })
      })
      const { ranking, totals } = Schema.decodeUnknownSync(Answer)(json)
      const history = [
        "Campaign,Sent,Replies,Positive replies,Meetings,Clients",
        ...past.map((each) => Object.values(each).join(","))
      ].join("\n")
      const { text } = yield* paste(table, undefined, [["history", history]])
      const order = [...text.matchAll(/<th scope="row">\d\. <a href="[^"]*">([^<]*)</g)].map(([, name]) => name)
      assert.deepStrictEqual(order, [...ranking.order])
      assert.include(text, `<strong>€${shortAbout(totals.estimated_profit)}</strong>`)
      assert.include(text, "at the rates of 4 past campaigns.")
      assert.match(text, /<a href="[^"]*&amp;history=1000[^"]*">Agencies</)
      const wrong = yield* paste(table, undefined, [["history", "Campaign,Sent,Replies\nA,100,200"]])
      assert.match(wrong.text, /<a href="#history">Past campaigns /)
      assert.match(
        wrong.text,
        /<textarea id="history"[^>]* aria-describedby="problem history-help" aria-invalid="true"/
      )
      assert.match(wrong.text, /<textarea id="list"[^>]* aria-describedby="list-help">/)
      const both = yield* paste(table, undefined, [
        ["history", history],
        ["independent", "yes"]
      ])
      assert.include(both.text, '<a href="#independent">Campaigns that learn from the same past campaigns')
      const asked = yield* paste(table, undefined, [["history", "Campaign,Contacted,Replied\nMay,800,41\nJune,900,30"]])
      assert.match(asked.text, /<a href="#contact_emails">Past campaigns [^<]*How many emails did each contact get\?</)
      assert.match(
        asked.text,
        /id="contact_emails"[^>]* aria-describedby="problem contact_emails-help" aria-invalid="true"/
      )
      const answered = yield* paste(table, undefined, [
        ["history", "Campaign,Contacted,Replied\nMay,800,41\nJune,900,30"],
        ["contact_emails", "2,5"]
      ])
      assert.include(answered.text, "emails sent are the contacts times 2.5.")
      assert.include(answered.text, "at the rates of 2 past campaigns.")
    })
  )

  it.effect("says first which campaign is the best, and how many are expected to lose money", () =>
    Effect.gen(function* () {
      const header = "Name,Emails sent,Reply rate,Positive reply rate,Meeting booking rate,Close rate"
      const says = Effect.fnUntraced(function* (list: string) {
        const [, says = "", then = ""] =
          /<p class="says">([^<]*)<\/p>\n(?:<p>([^<]*))?/.exec((yield* paste(list)).text) ?? []
        return `${says} ${then}`
      })
      assert.match(
        yield* says(table),
        /^Agencies is expected to bring the most profit: €8,100\. Expect 1 to 10 clients in total\./
      )
      const rates = "2%,20%,45%,20%"
      const money = `${header},Deal value,Campaign cost`
      assert.match(
        yield* says(`${money}\nA,5000,${rates},4000,900\nB,5000,${rates},4000,90000`),
        /^A is expected to bring the most profit: [\d,]+\. 1 of 2 is expected to lose money\. Expect/
      )
      assert.match(
        yield* says(`${money}\nA,50,${rates},4,900\nB,50,${rates},4,800`),
        /^Each of them is expected to lose/
      )
      assert.match(
        yield* says(`${header}\nA,5000,${rates}\nB,6000,${rates}`),
        /^B is expected to win the most clients: 2\.\d+\. E/
      )
      assert.match(yield* says(`${header}\nA,5000,${rates}\nB,5000,${rates}`), /^ *Expect/)
      assert.match(yield* says(`${header}\nA,5000,${rates}`), /^ *Expect/)
    })
  )

  it.effect("asks how many emails each contact got where contacts are counted, with a field for the answer", () =>
    Effect.gen(function* () {
      for (const name of ["Contacts", "Contacted"]) {
        const counts = `Campaign,${name},Replies,Positive replies,Meetings,Clients\nA,2000,180,119,110,101\nB,4000,190,130,120,109`
        const asked = yield* paste(counts, undefined, [["independent", "yes"]])
        assert.include(
          asked.text,
          "These are counts, with contacts in place of emails. How many emails did each contact get?"
        )
        assert.match(
          asked.text,
          /<input type="hidden" name="independent" value="yes">[^]*<input class="short" name="contact_emails"/
        )
        const unanswered = yield* paste(counts, undefined, [["numbers", "counts"]])
        assert.include(unanswered.text, "How many emails did each contact get?")
        const { text } = yield* paste(counts, undefined, [
          ["numbers", "counts"],
          ["contact_emails", "3"]
        ])
        assert.match(text, /emails_sent=6000&amp;reply_rate=3&amp;/)
        assert.match(text, /<input type="hidden" name="contact_emails" value="3">/)
      }
    })
  )

  it.effect("has its ranking as CSV, with the names of the API", () =>
    Effect.gen(function* () {
      const { text } = yield* paste(table)
      const [, csv = ""] = /<code>(name,emails_sent[^<]*)<\/code>/.exec(text) ?? []
      const [header = "", first = "", ...others] = csv.trim().split(/\r?\n/)
      assert.match(
        header,
        /^name,emails_sent,reply_rate,.*campaign_cost,rank,.*estimated_clients,.*outlook_clients_low,/
      )
      assert.match(first, /^Agencies,5000,2\.5,20,45,20,4000,900,1,0\.\d+/)
      assert.lengthOf(others, 2)
    })
  )

  it.effect("says which line and column is wrong", () =>
    Effect.gen(function* () {
      const wrong = table
        .replace("2.5%", "250%")
        .replace("Shops", "Agencies")
        .replace("25%\t50%", "\t50%")
        .replace("€600", "$600")
      const { status, text } = yield* paste(wrong)
      assert.strictEqual(status, 400)
      for (const sentence of [
        "Line 3, reply rate: must be at most 100.",
        "Line 4: “Agencies” is the name of line 3 too.",
        "Line 5, campaign cost: must be in EUR, as other amounts: none is converted.",
        "Line 5, positive reply rate: is missing; write a number like "
      ]) {
        assert.include(text, sentence)
      }
      for (const [list, sentence] of [
        ["Name,Emails\nA,5", "There is none for reply rate, positive reply rate, meeting booking rate and close rate."],
        ["Name,Emails,Replies\nA,5000,80", "These are counts, but not of clients. Add a column of clients"],
        ["hello", "The first line must name the columns."],
        [table.split("\n").slice(0, 2).join("\n"), "There is no campaign below the names of the columns."],
        ["Name,Emails,Reply,Positive,Booking,Close", "There is no campaign below the names of the columns."],
        ["a".repeat(100_000), "The list has more than 16,384 characters: leave out lines"],
        ["a|".repeat(3_000), "The list has more than 1,500 cells: leave out lines"],
        ["a\n".repeat(8_000), "The list has more than 1,500 cells: leave out lines"],
        ["(".repeat(16_384), "The first line must name the columns."],
        [table.replace("Owner", "Cost"), "There are two columns for campaign cost."],
        [
          table.replace("\t5,000", "\t5\t000"),
          "Line 3 has more cells than the header: write numbers without separators"
        ],
        [table + "\nAgencies\t5000\t2\t20\t45\t20".repeat(18), "There are 21 campaigns; the page takes at most 20"],
        [
          "Name,Emails,Reply rate,Positive reply rate,Meeting booking rate,Close rate\nA,5000,5,20,45,20\nB,5000,.05,0.2,0.45,0.2",
          "The rates of “B” look like fractions. Write all rates in percent: 5% if 0.05 means 5 of 100"
        ],
        [table.replace("Bob", "Bob\nMore\t500\t2\t20\t45\t20\t$100"), "Line 5: amounts must be in EUR, as above it"]
      ] as const) {
        assert.include((yield* paste(list)).text, sentence)
      }
      const { text: cut } = yield* send("/list?link=1&list=Name", { headers: { "x-forwarded-for": "192.0.2.250" } })
      assert.include(cut, "This link was cut off")
    })
  )

  it.effect("ticks no more rows than it takes, so that its own form can be sent", () =>
    Effect.gen(function* () {
      const [, header = ""] = table.split("\n")
      const rows = Array.from({ length: 160 }, (_, place) => `C${place}\t${1000 + place * 7}\t2%\t20\t45\t20\t\t\t`)
      const { text } = yield* paste([header, ...rows].join("\n"))
      assert.include(text, "There are 160 campaigns; the page takes at most 20, and the API 1,000. The first 20 are")
      const lines = [...text.matchAll(/name="rows" value="(\d+)" checked/g)].map(([, line]) => line)
      assert.deepStrictEqual([lines.length, lines[0], lines.at(-1)], [20, "2", "21"])
    })
  )

  it.effect("asks for campaigns if none was pasted, with an error that takes the focus", () =>
    Effect.gen(function* () {
      const { status, text } = yield* paste(" \n")
      assert.strictEqual(status, 400)
      assert.match(text, /role="alert"[^>]* autofocus>[^]*>Paste at least one campaign, below a line that names/)
      assert.notInclude(text, "Agencies")
    })
  )

  it.effect("is shown without a link if it is too long for one, and says so", () =>
    Effect.gen(function* () {
      const { link, status, text } = yield* paste(table + "x".repeat(2000))
      assert.deepStrictEqual([link, status], [null, 200])
      assert.include(text, "This list is too long for a link")
    })
  )

  it.effect("costs a client the time that it takes", () =>
    Effect.gen(function* () {
      const [header = "", ...rows] = table.split("\n").slice(1)
      const large = [header, ...rows.map((row) => row.replace(/\t[^\t]*/, "\t99,000,000"))].join("\n")
      const statuses: Array<number> = []
      for (let i = 0; i < 100 && statuses.at(-1) !== 429; i++)
        statuses.push((yield* paste(large, "192.0.2.251")).status)
      assert.strictEqual(statuses[0], 200)
      assert.strictEqual(statuses.at(-1), 429)
    })
  )
})

describe.skipIf(browserObstacle !== undefined)("a list of campaigns, in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    it.effect("is ranked without JavaScript, from the example, and is accessible", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.setJavaScriptEnabled(false)
          await page.goto(`${server.url}/`)
          await follow(page, 'a[href="/list"]')
          await follow(page, "form.list button")
          assert.strictEqual(await page.evaluate("document.querySelectorAll('.ranking tbody tr').length"), 3)
          await page.setJavaScriptEnabled(true)
          await page.reload()
          await inspect(page, "list")
        })
        yield* Effect.promise(() => page.goto(`${server.url}/list?link=1&list=Name&end=1`))
        yield* Effect.promise(() => inspect(page, "list-error"))
        const counts = "Name,Emails sent,Replies,Positive replies,Meetings,Clients\nA,500,20,10,5,1"
        yield* Effect.promise(() =>
          page.goto(`${server.url}/list?${String(new URLSearchParams({ link: "1", list: counts, end: "1" }))}`)
        )
        yield* Effect.promise(() => inspect(page, "list-question"))
        const contacts = counts.replace("Emails sent", "Contacts")
        const address = new URLSearchParams({ link: "1", list: contacts, numbers: "counts", end: "1" })
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/list?${String(address)}`)
          await inspect(page, "list-contacts")
          await page.setJavaScriptEnabled(false)
          await page.type("input[name=contact_emails]", "2")
          await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
          assert.strictEqual(await page.evaluate("document.querySelectorAll('.ranking tbody tr').length"), 1)
        })
      })
    )

    it.effect("takes rows in and out by keyboard, and is printed on one sheet without navigation", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const list = `${table}\nOverall\t3,000\t2%\t20\t45\t20\t€4,000\t500`
        const numbers = "1200\t3.2%\t25%\t50%\t20%\t€4,000\t€600\tAda"
        const most = [table, ...Array.from({ length: 17 }, (_, index) => `Campaign ${index}\t${numbers}`)].join("\n")
        const ranked = () => page.evaluate("document.querySelectorAll('.ranking tbody tr').length")
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/list?${String(new URLSearchParams({ link: "1", list, end: "1" }))}`)
          assert.strictEqual(await ranked(), 3)
          await inspect(page, "list-rows")
          await page.focus("input[name=rows][value='4']")
          await page.keyboard.press("Space")
          await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
          assert.strictEqual(await ranked(), 2)
          await page.focus("input[name=rows][value='6']")
          await page.keyboard.press("Space")
          await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
          assert.strictEqual(await ranked(), 3)
          await page.goto(`${server.url}/list?${String(new URLSearchParams({ link: "1", list: most, end: "1" }))}`)
          assert.strictEqual(await ranked(), 20)
          await page.emulateMediaType("print")
          for (const hidden of [".top nav", ".footer", "form.list", "button", ".lead"]) {
            const shown = await page.evaluate(
              `[...document.querySelectorAll("${hidden}")].filter((each) => each.checkVisibility()).length`
            )
            assert.strictEqual(shown, 0, hidden)
          }
          const pdf = Buffer.from(await page.pdf({ format: "A4" })).toString("latin1")
          assert.lengthOf([...pdf.matchAll(/\/Type \/Page\b/g)], 1)
        })
      })
    )
  })
})
