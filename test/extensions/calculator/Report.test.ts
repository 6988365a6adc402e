import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { modelVersion } from "../../../src/forecast/modelVersion.ts"
import { accessApplication, send } from "../../support/Http.ts"

const example =
  "emails_sent=5000&reply_rate=5&positive_reply_rate=30&meeting_booking_rate=20&close_rate=25&average_deal_value=2500&campaign_cost=600"

/** The text of a page, without its markup. */
const textOf = (page: string) =>
  page
    .replaceAll(/<(?:head|svg)\b[\s\S]*?<\/(?:head|svg)>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")

const env = { CALCULATION_MILLIS_PER_MINUTE: "2", PUBLIC_URL: "https://forecast.example" }

let clients = 0

const request = (query: string, client = `192.0.2.${++clients}`) =>
  send(`/report?${query}`, { headers: { "x-forwarded-for": client } })

layer(accessApplication({ env }))("GET /report", (it) => {
  it.effect("has the campaign, the forecast with its range, assumptions, sources, the date and a link back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.makeUnsafe("2026-11-24T23:59:00Z").epochMilliseconds)
      const { headers, status, text } = yield* request(example)
      assert.strictEqual(status, 200)
      const shown = textOf(text)
      for (const sentence of [
        "Prepared by",
        "24 November 2026",
        "Expect 0 to 8 clients from 5,000 cold emails",
        "92 of 100 such campaigns end in this range. 10 of 100 win no client; 90 of 100 cover their cost.",
        "Average profit 8,780 −600 to 19,400",
        "Meeting booking rate 20%",
        "Stage Logarithmic scale Average, range Emails sent",
        "Positive replies 30% of replies 75 22 to 141",
        "Average clients: 5,000 × 5% × 30% × 20% × 25% = 3.75. Profit: 3.75 × 2,500 − 600 = 8,775.",
        "The reply rate varies as in 556 published campaigns",
        "chance alone would leave 1 to 6 clients",
        "Clientium, Osservatorio Cold Email Italia, 2026, https://clientium.it/osservatorio/, CC BY 4.0",
        `model of ${modelVersion}`
      ]) {
        assert.include(shown, sentence)
      }
      assert.include(
        text,
        '<a href="https://forecast.example/?plan=5000_5_30_20_25_2500_600&amp;end=1">forecast.example/?plan=5000_5_30_20_25_2500_600&amp;end=1</a>'
      )
      assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/)
      assert.notMatch(text, / style=|<style/)
    })
  )

  it.effect("has the goal, the comparison and the track record, and its result as the title", () =>
    Effect.gen(function* () {
      const more = "&goal=4&goal_aim=clients&goal_chance=80&b_name=Larger&b_average_deal_value=7500&b_close_rate=10"
      const { text } = yield* request(`${example}${more}&history=3000..60_2000..70_9000..100`)
      assert.match(text, /<title>\d+ to \d+ clients from 5,000 emails – Outreach Forecast<\/title>/)
      for (const sentence of [
        /Goal: (Reached: you|You) get /,
        /Past campaigns: \d of your last 3 ended within the range of replies/,
        /Reply rate [\d.]+% learned, 5% planned/,
        /Close rate 25% /
      ]) {
        assert.match(textOf(text), sentence)
      }
      // A name that is written from right to left does not move the amount.
      assert.match(text, /Compared:<\/strong> <bdi>Larger<\/bdi>: [\d,.]+ (more|less) profit on average/)
    })
  )

  it.effect("draws its bars on a scale with labels at 0, 1, 10 and so on, and small ticks between", () =>
    Effect.gen(function* () {
      const { text } = yield* request(example)
      const [, axis = ""] = /<thead>[\s\S]*?(<svg[\s\S]*?<\/svg>)/.exec(text) ?? []
      const labels = Array.from(axis.matchAll(/<text[^>]*>([^<]*)/g), ([, label]) => label)
      assert.deepStrictEqual(labels, ["0", "1", "10", "100", "1,000"])
      // 2 to 9, 20 to 90 and 200 to 900, and 2,000 to the end of the scale.
      assert.lengthOf(axis.match(/<line class="axis"/g) ?? [], 28)
      const [, bar = ""] = /<tbody>[\s\S]*?(<svg[\s\S]*?<\/svg>)/.exec(text) ?? []
      assert.lengthOf(bar.match(/<line class="grid"/g) ?? [], 5)
    })
  )

  it.effect("has the names in its link, in its title, and in the link back", () =>
    Effect.gen(function* () {
      const { text } = yield* request(`${example}&prepared_by=North+%26+Co&prepared_for=%22%3E%3Cimg+src%3Dx%3E`)
      const escaped = "&quot;&gt;&lt;img src=x&gt;"
      assert.match(text, /name="prepared_by" [^>]*value="North &amp; Co">/)
      assert.include(text, `value="${escaped}"`)
      assert.notInclude(text, "<img src=x")
      const [title = ""] = /<title>.*<\/title>/.exec(text) ?? []
      assert.match(title, /clients from 5,000 emails, by North &amp; Co, for &quot;&gt;&lt;img src=x&gt; – /)
      const back = "&amp;prepared_by=North+%26+Co&amp;prepared_for=%22%3E%3Cimg+src%3Dx%3E&amp;end=1"
      assert.include(text, `${back}">Change the numbers`)
      const again = yield* send(`/?${example}&prepared_by=North`, { headers: { "x-forwarded-for": "192.0.2.250" } })
      assert.match(again.text, /href="\/report\?[^"]*prepared_by=North&amp;end=1"/)
    })
  )

  it.effect("says where a campaign in flight ends", () =>
    Effect.gen(function* () {
      const counts =
        "&so_far_emails_sent=2000&so_far_replies=62&so_far_positive_replies=14&so_far_meetings=4&so_far_clients=1" +
        "&open_replies=7&open_positive_replies=4&open_meetings=2"
      assert.include(
        textOf((yield* request(example + counts)).text),
        "So far: 2,000 emails, 62 replies, 14 positive replies, 4 meetings and 1 client. Expect 2 to 9 clients at the end, 1 of them already won. The plan, 4 or more, is reached in 61 of 100."
      )
    })
  )

  it.effect("is based on what was learned, and mentions no spread that it does not use", () =>
    Effect.gen(function* () {
      const plain = textOf((yield* request(example)).text)
      assert.include(plain, "Clientium")
      const exact = textOf((yield* request(`${example}&spread=none`)).text)
      assert.notInclude(exact, "Clientium")
      assert.include(exact, "rates exactly as given")
      const learned = textOf((yield* request(`${example}&history=3000..60.20.5..1_4000..30.9.2..0`)).text)
      assert.notInclude(learned, "Clientium")
      assert.include(learned, "Learned from your past campaigns")
    })
  )

  it.effect("shows names as text, says what is wrong with numbers, and counts toward the calculator's limit", () =>
    Effect.gen(function* () {
      const attack = encodeURIComponent(`"><img src=x onerror=alert(1)>`)
      assert.notInclude((yield* request(`${example}&a_name=${attack}`)).text, "<img src=x")
      const client = "203.0.113.8"
      const wrong = yield* request("emails_sent=abc")
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "Emails sent must be a number")
      const other = yield* send(`/?${example}`, { headers: { "x-forwarded-for": client } })
      assert.strictEqual(other.status, 200)
      const refused = yield* request(example, client)
      assert.strictEqual(refused.status, 429)
      assert.include(refused.text, `href="/report?link=1&amp;${example.replaceAll("&", "&amp;")}&amp;end=1"`)
    })
  )
})
