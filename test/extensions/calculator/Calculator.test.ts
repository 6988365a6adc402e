import { assert, describe, it, layer } from "@effect/vitest"
import { Array as Arr, Clock, Effect, Fiber, Predicate } from "effect"
import { TestClock } from "effect/testing"
import { makeHeldWorkers, workersWith } from "../../support/HeldWorkers.ts"
import { accessApplication, baseUrl, issueKey, newClient, post, send } from "../../support/Http.ts"
import { until } from "../../support/Process.ts"
import { measured, sample } from "../../support/Samples.ts"
import { openClient } from "../../support/Sockets.ts"

const example =
  "emails_sent=5000&reply_rate=5&positive_reply_rate=30&meeting_booking_rate=20&close_rate=25&average_deal_value=2500&campaign_cost=600"

let clients = 0

/** Sends a request as a new client. */
const request = (query: string, client = `192.0.2.${++clients}`) =>
  send(`/?${query}`, { headers: { "x-forwarded-for": client } })

const expectedClients = (page: string) => /Average clients<\/dt><dd><strong>([^<]*)</.exec(page)?.[1]

layer(accessApplication())("GET / with numbers in the address", (it) => {
  it.effect("answers with the figures of the API, costs no credit, and needs no key", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey(1)
      const { json } = yield* post("/api/v1/forecast", { key: secret, body: JSON.stringify(sample) })
      const page = yield* request(example)
      assert.strictEqual(page.status, 200)
      assert.strictEqual(expectedClients(page.text), String(json["estimated_clients"]))
      const advice = json["recommendations"]
      if (!Array.isArray(advice)) throw new Error("There are no recommendations")
      for (const sentence of advice) assert.include(page.text, `<li>${String(sentence)}</li>`)
      assert.isTrue(Predicate.hasProperty(json["usage"], "credits_remaining") && json["usage"].credits_remaining === 0)
    })
  )

  it.effect("shows the example if the address has no numbers, whatever else is in it", () =>
    Effect.gen(function* () {
      const unknown = Array.from({ length: 100 }, (_, i) => `x${i}=${encodeURIComponent("<script>")}`).join("&")
      const plain = yield* send("/")
      const { headers, status, text } = yield* request(unknown)
      assert.deepStrictEqual([status, text], [200, plain.text])
      assert.strictEqual(headers.get("etag"), plain.headers.get("etag"))
      const withUnknown = yield* request(`${unknown}&${example.replace("5000", "500")}`)
      assert.strictEqual(expectedClients(withUnknown.text), "0.375")
    })
  )

  it.effect("gives a link with numbers a preview with its own forecast, hidden from search engines", () =>
    Effect.gen(function* () {
      const { text } = yield* request(example)
      assert.include(text, "<title>0 to 8 clients from 5,000 emails – Outreach Forecast</title>")
      assert.include(text, '<meta property="og:title" content="0 to 8 clients from 5,000 emails">')
      for (const name of ['name="description"', 'property="og:description"']) {
        assert.include(text, `<meta ${name} content="Expect 0 to 8 clients. 10 of 100 such campaigns win no client. `)
      }
      assert.match(text, /<meta property="og:url" content="http[^"]*\/\?link=1&amp;emails_sent=5000&amp;/)
      assert.match(text, /<meta property="og:image" content="http[^"]*\.png">/)
      assert.include(text, '<meta name="robots" content="noindex">')
      assert.notInclude(text, "canonical")
      const none = yield* request(example.replace("reply_rate=5", "reply_rate=0"))
      assert.include(none.text, "<title>No client from 5,000 emails – ")
      const counts =
        "&so_far_emails_sent=2000&so_far_replies=62&so_far_positive_replies=14&so_far_meetings=4&so_far_clients=1"
      assert.match((yield* request(example + counts)).text, /<title>\d+ to \d+ clients at the end of the campaign – /)
      assert.notInclude((yield* request(example.replace("5000", "abc"))).text, "og:title")
    })
  )

  it.effect("shows the currency of a link with every amount, and leaves the API without it", () =>
    Effect.gen(function* () {
      const all = `${example}&currency=EUR&b_average_deal_value=7500&goal=10000&goal_aim=profit`
      const { text } = yield* request(all)
      for (const part of [
        "<dt>Average profit</dt><dd><strong>€8,780</strong> <span>−€600 to €19,400</span>",
        "<dt>Cost per reply</dt><dd>€2.40</dd>",
        ", profit €8,780.",
        "€18,800 more profit on average",
        '<th scope="row">Average profit</th><td>€8,780</td><td>€27,500</td>',
        " get a profit of €8,780 on average",
        "now €8,780<",
        '<span class="sign" data-sign="average_deal_value">€</span>',
        '<input type="hidden" id="currency" name="currency" value="EUR">',
        "&amp;currency=EUR&amp;"
      ]) {
        assert.include(text, part)
      }
      assert.include(text, "&quot;average_deal_value&quot;: 2500,")
      assert.notInclude(text, "&quot;currency&quot;")
      for (const path of ["/report", "/embed"]) {
        const shown = yield* send(`${path}?${all}`, { headers: { "x-forwarded-for": `192.0.2.${++clients}` } })
        assert.include(shown.text, "<strong>€8,780</strong> <span>−€600 to €19,400</span>", path)
        assert.notInclude(shown.text, "currency of your choice")
      }
      assert.include((yield* request(`${example}&currency=CHF`)).text, "−CHF\u00a0600 to CHF\u00a019,400")
      for (const none of ["", "&currency=", "&currency=XYZ", "&currency=constructor"])
        assert.include(
          (yield* request(example + none)).text,
          "<strong>8,780</strong> <span>−600 to 19,400</span>",
          none
        )
    })
  )

  it.effect("takes the currency from the sign of the deal value, else of the cost, and never relabels an amount", () =>
    Effect.gen(function* () {
      const typed = (deal: string, cost: string, currency = "") =>
        request(
          `${example}&average_deal_value=${encodeURIComponent(deal)}&campaign_cost=${encodeURIComponent(cost)}&currency=${currency}`
        )
      for (const [deal, cost, sign, currency] of [
        ["€2,500", "600", "€", ""],
        ["2.500,00 €", "600 EUR", "€", "GBP"],
        ["2500", "£600", "£", "GBP"],
        ["₹2500", "Rs. 600", "₹", "GBP"],
        ["$2500", "600", "$", "XYZ"]
      ] as const) {
        const { text } = yield* typed(deal, cost, currency)
        assert.include(text, `<strong>${sign}8,780</strong>`, deal)
        assert.match(text, /name="average_deal_value"[^>]* value="[\d.,]+"/)
      }
      const mixed = yield* typed("€2,500", "$600")
      assert.strictEqual(mixed.status, 400)
      assert.include(mixed.text, "Campaign cost must be in EUR, as other amounts: none is converted.")
      for (const cost of ["600", "€600"]) {
        const changed = yield* typed("₹4,00,000", cost, "EUR")
        assert.strictEqual(changed.status, 400, cost)
        assert.include(
          changed.text,
          "value must be in EUR, as other amounts: none is converted. To use INR, write it with each of them."
        )
        assert.match(changed.text, /name="average_deal_value"[^>]* value="₹4,00,000"/)
      }
    })
  )

  it.effect("reads German and French notation, and asks if a number is ambiguous", () =>
    Effect.gen(function* () {
      const german = yield* request(`${example}&average_deal_value=1.000,5&reply_rate=2,5&campaign_cost=1%C2%A0000,5`)
      assert.include(german.text, "&quot;average_deal_value&quot;: 1000.5")
      assert.include(german.text, "&quot;reply_rate&quot;: 2.5")
      assert.include(german.text, "&quot;campaign_cost&quot;: 1000.5")
      const ambiguous = yield* request(example.replace("emails_sent=5000", "emails_sent=5.000"))
      assert.strictEqual(ambiguous.status, 400)
      assert.include(ambiguous.text, "Emails sent can be read as 5 or as 5000; write 5000 without separators, or 5.")
    })
  )

  it.effect("redirects a form to its address, without empty fields, which does not count as a calculation", () =>
    Effect.gen(function* () {
      const client = "198.51.100.2"
      const submit = (body: string) => send("/", { method: "POST", body, headers: { "x-forwarded-for": client } })
      for (let i = 0; i < 4; i++) {
        const { headers, status } = yield* submit(`${example}&goal=&b_name=+&spread=published&show_rate=abc`)
        assert.strictEqual(status, 303)
        assert.strictEqual(headers.get("location"), `/?link=1&${example}&show_rate=abc&end=1`)
      }
      const { headers, status } = yield* submit("emails_sent=&goal_aim=clients")
      assert.deepStrictEqual([status, headers.get("location")], [303, "/?link=1&goal_aim=clients&end=1"])
      const missing = yield* request("goal_aim=clients", client)
      assert.include(missing.text, "Emails sent is missing; write a number like 5000.")
    })
  )

  it.effect("shows what is wrong with each number, keeps what was typed, and calculates nothing", () =>
    Effect.gen(function* () {
      const client = "198.51.100.1"
      for (let i = 0; i < 2; i++) {
        const { headers, status, text } = yield* request(
          "emails_sent=abc&reply_rate=300&close_rate=NaN&goal=-1&campaign_cost=1e9",
          client
        )
        assert.strictEqual(status, 400)
        assert.match(text, /<title>Error: /)
        assert.match(text, /<a href="#emails_sent">Emails sent must be a number; write it like 5000\.<\/a>/)
        assert.match(text, /<a href="#reply_rate">Reply rate must be at most 100\.<\/a>/)
        assert.match(
          text,
          /<a href="#positive_reply_rate">Positive reply rate is missing; write a number like 40\.<\/a>/
        )
        assert.match(text, /<a href="#campaign_cost">Campaign cost must be a number; write it like 600\.<\/a>/)
        assert.match(text, /<a href="#goal">Goal must be above 0\.<\/a>/)
        assert.include(text, 'value="abc"')
        assert.strictEqual(headers.get("cache-control"), "no-store")
      }
      assert.strictEqual((yield* request(example, client)).status, 200)
    })
  )

  it.effect("learns from up to 100 past campaigns in the address, and says what is wrong with each", () =>
    Effect.gen(function* () {
      const row = (index: number) => `${3000 + index}..${60 + (index % 50)}.20.5..1.Campaign+number+${index}`
      const rows = Array.from({ length: 100 }, (_, index) => row(index)).join("_")
      const { status, text } = yield* request(`${example}&history=${rows}`)
      assert.strictEqual(status, 200)
      assert.include(text, "<td>All 100</td><td>304,950</td>")
      assert.match(text, /\d+ of your last 100 ended within the range of replies/)
      // Once calculated, they are in the call of the API, and in the table that the links of the page stand on.
      assert.include(text, "\nCampaign number 0\t3000\t")
      assert.include(text, "&quot;name&quot;: &quot;Campaign number 99&quot;")
      const wrong = yield* request(`${example}&history=100..5_100..500`)
      assert.strictEqual(wrong.status, 400)
      assert.include(
        wrong.text,
        '<a href="#history/1/replies">Past campaign 2: replies must be at most the number of emails sent.</a>'
      )
      assert.include(
        wrong.text,
        '<p class="error">Past campaign 2: replies must be at most the number of emails sent.</p>'
      )
      assert.match(wrong.text, /<details open><summary><h2 id="past-title">Your past campaigns/)
      assert.isUndefined(expectedClients(wrong.text))
    })
  )

  it.effect("shows names and numbers as text, never as markup", () =>
    Effect.gen(function* () {
      const attack = encodeURIComponent(`"><img src=x onerror=alert(1)></code><script>'`)
      const named = yield* request(`${example}&b_reply_rate=6&a_name=${attack}&b_name=${attack}`)
      assert.strictEqual(named.status, 200)
      assert.notMatch(named.text, /<img src=x|<script>|<\/code><script/)
      assert.include(named.text, "&lt;img src=x onerror=alert(1)&gt;")
      const typed = yield* request(`${example}&emails_sent=${attack}&goal_aim=${attack}`)
      assert.strictEqual(typed.status, 400)
      assert.notMatch(typed.text, /<img src=x|<script>/)
      const past = (emails: string) =>
        encodeURIComponent(`Name,Sent,Replies,"><img src=x>\n</textarea><img src=x>,${emails},5,5`)
      const learned = yield* request(`${example}&history=${past("100")}`)
      assert.strictEqual(learned.status, 200)
      assert.include(learned.text, "&lt;/textarea&gt;&lt;img src=x&gt;")
      assert.notMatch(learned.text, /<img src=x|<\/textarea><img/)
      const invalid = yield* request(`${example}&history=${past("<img src=x>")}`)
      assert.strictEqual(invalid.status, 400)
      assert.notMatch(invalid.text, /<img src=x|<\/textarea><img/)
      assert.match(named.headers.get("content-security-policy") ?? "", /script-src 'self'; style-src 'self'/)
      assert.notMatch(named.text, / style="|<style/)
    })
  )

  it.effect("ends the error of an unclear table with one full stop", () =>
    Effect.gen(function* () {
      const { text } = yield* request(`${example}&history=March%093200%0961`)
      assert.include(text, "cannot be used: Choose the column that has the emails sent, or the contacts.</a>")
    })
  )
})

/** Threads in which each page takes this many milliseconds. */
const taking = (millis: number) =>
  workersWith((next) => (inTurn) => next((piece) => inTurn(Effect.map(piece, (taken) => ({ ...taken, millis })))))

layer(accessApplication())("the address of a page with numbers", (it) => {
  it.effect("is read as far as a form would be", () =>
    Effect.gen(function* () {
      const { text: opening } = yield* send("/")
      for (const [count, isRead] of [
        [199, true],
        [200, false]
      ] as const) {
        const { status, text } = yield* send(`/?${"a&".repeat(count)}emails_sent=7`)
        assert.strictEqual(status, isRead ? 400 : 200)
        assert.strictEqual(text === opening, !isRead)
      }
    })
  )
})

layer(accessApplication())("a form sent to a page with numbers", (it) => {
  const submit = (path: string, body: string) =>
    send(path, { method: "POST", body, headers: { "x-forwarded-for": newClient() } })
  for (const path of ["/", "/report", "/embed", "/list"]) {
    it.effect(`has at most 200 fields, of 1 KiB except tables: ${path}`, () =>
      Effect.gen(function* () {
        const many = yield* submit(path, `${example}&${"a&".repeat(200)}`)
        assert.strictEqual(many.status, 400)
        assert.include(many.text, "Correct the request: the body must have at most 200 fields")
        for (const table of ["", `&history=${"1_".repeat(9000)}`]) {
          const long = yield* submit(path, `${example}&b_name=${"x".repeat(1025)}${table}`)
          assert.strictEqual(long.status, 400)
          assert.include(long.text, "Correct the request: /b_name must have at most 1 KiB")
        }
      })
    )
  }

  it.effect("above 16 KiB is read by a worker, with the preset that it is to be filled with", () =>
    Effect.gen(function* () {
      const rows = Array.from(
        { length: 100 },
        (_, row) => `${3000 + row}..60.20.5..1.${encodeURIComponent("ö".repeat(50))}`
      )
      const form = `emails_sent=1&history=${rows.join("_")}`
      const { status, text } = yield* submit("/?preset=7", form)
      assert.strictEqual(status, 200)
      assert.include(
        text,
        'name="emails_sent" form="calculator" type="text" inputmode="decimal" autocomplete="off" maxlength="60" value="5000"'
      )
      assert.include(text, "<td>All 100</td><td>304,950</td>")
    })
  )
})

describe("the calculations of a client without a key", () => {
  it.effect("are limited by the time that they take in a minute", () =>
    Effect.gen(function* () {
      const client = "203.0.113.7"
      const pages = () => request(example, client)
      for (let i = 0; i < 3; i++) assert.strictEqual((yield* pages()).status, 200)
      const { headers, status, text } = yield* pages()
      assert.strictEqual(status, 429)
      assert.strictEqual(headers.get("retry-after"), "4")
      assert.include(text, "Wait 4 seconds, then calculate again.")
      assert.include(text, `href="/?link=1&amp;${example.replaceAll("&", "&amp;")}&amp;end=1"`)
      assert.strictEqual((yield* request(example)).status, 200)
      assert.strictEqual((yield* send("/", { headers: { "x-forwarded-for": client } })).status, 200)
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual((yield* pages()).status, 200)
      assert.strictEqual((yield* pages()).status, 429)
      // Each page is two pieces: a worker reads the form, and calculates.
    }).pipe(Effect.provide(accessApplication({ workers: taking(325) })))
  )

  it.effect("include the reading of a form with errors, which a worker does too", () =>
    Effect.gen(function* () {
      const table = `${example}&history=${encodeURIComponent("Campaign,Contacted,Replies\nMarch,800,20")}`
      for (const form of [table, `${example}&reply_rate=abc`]) {
        const client = `192.0.2.${++clients}`
        for (let i = 0; i < 2; i++) assert.strictEqual((yield* request(form, client)).status, 400)
        assert.strictEqual((yield* request(form, client)).status, 429)
      }
    }).pipe(Effect.provide(accessApplication({ workers: taking(950) })))
  )

  it.effect("wait for their turn with those of 49 other clients, and are asked to come back if there are more", () => {
    const { arrived, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const { secret } = yield* issueKey(1)
      yield* holdAfter(0)
      const waiting = yield* Effect.forkChild(
        Effect.replicateEffect(
          Effect.suspend(() => request(example)),
          50,
          { concurrency: "unbounded" }
        )
      )
      yield* until(() => arrived() === 50)
      const { headers, status, text } = yield* request(example)
      assert.strictEqual(status, 429)
      assert.strictEqual(headers.get("retry-after"), "5")
      assert.include(text, "Many others are calculating at the moment. Wait 5 seconds, then calculate again.")
      // A key does not wait in their line.
      const paid = yield* Effect.forkChild(post("/api/v1/forecast", { key: secret, body: JSON.stringify(measured) }))
      yield* until(() => arrived() === 51)
      yield* release
      assert.strictEqual((yield* Fiber.join(paid)).status, 200)
      assert.isTrue((yield* Fiber.join(waiting)).every(({ status }) => status === 200))
    }).pipe(Effect.provide(accessApplication({ workers })))
  })

  it.effect("are refused before a form has been received, once that time is over", () =>
    Effect.gen(function* () {
      const client = "203.0.113.8"
      assert.strictEqual((yield* request(example, client)).status, 200)
      const begun = `POST / HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${client}\r\ncontent-length: 100\r\n\r\nemails`
      const { received } = yield* openClient(Number(new URL(yield* baseUrl).port), begun)
      yield* until(() => received().startsWith("HTTP/1.1 429"))
    }).pipe(Effect.scoped, Effect.provide(accessApplication({ workers: taking(2000) })))
  )

  it.effect("include what the event loop does for a form", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let seconds = 0n
      // Whatever is measured takes a second.
      const slow: Clock.Clock = {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        monotonicTimeNanosUnsafe: () => ++seconds * 1_000_000_000n,
        currentTimeMillis: clock.currentTimeMillis,
        currentTimeNanos: clock.currentTimeNanos,
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      }
      const submitted = send("/", { method: "POST", body: example, headers: { "x-forwarded-for": "203.0.113.9" } })
      const forms = yield* Effect.replicateEffect(submitted, 6).pipe(
        Effect.provide(accessApplication()),
        Effect.provideService(Clock.Clock, slow)
      )
      assert.deepStrictEqual([forms[0]?.status, forms.at(-1)?.status], [303, 429])
    })
  )

  it.effect("are not limited by their number", () =>
    Effect.gen(function* () {
      const pages = yield* Effect.forEach(Arr.makeBy(100, String), () => request(example, "203.0.113.6"))
      assert.isTrue(pages.every(({ status }) => status === 200))
    }).pipe(Effect.provide(accessApplication({ workers: taking(5) })))
  )
})
