import { gzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { accessApplication, send } from "../../support/Http.ts"

const example =
  "emails_sent=5000&reply_rate=5&positive_reply_rate=30&meeting_booking_rate=20&close_rate=25&average_deal_value=2500&campaign_cost=600"

const env = { CALCULATION_MILLIS_PER_MINUTE: "2", PUBLIC_URL: "https://forecast.example" }

let clients = 0

const request = (path: string, client = `192.0.2.${++clients}`) =>
  send(path, { headers: { "x-forwarded-for": client } })

layer(accessApplication({ env }))("GET /embed", (it) => {
  it.effect("shows the forecast with a link to the full one, without forms or cookies, in less than 30 kB", () =>
    Effect.gen(function* () {
      const { headers, status, text } = yield* request(`/embed?${example}`)
      assert.strictEqual(status, 200)
      assert.include(text, "Expect 0 to 8 clients. 10 of 100 such campaigns win no client.")
      assert.include(text, "0 to 8 clients in 92 of 100 campaigns")
      assert.include(
        text,
        `<a href="https://forecast.example/?link=1&amp;${example.replaceAll("&", "&amp;")}&amp;end=1" target="_blank"`
      )
      assert.include(
        text,
        "Clientium, Osservatorio Cold Email Italia, 2026, https://clientium.it/osservatorio/, CC BY 4.0"
      )
      assert.notMatch(text, /<form|<input|<button| style=|<style/)
      assert.isNull(headers.get("set-cookie"))
      let bytes = Buffer.byteLength(text)
      for (const [, path = ""] of text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
        bytes += Buffer.byteLength((yield* send(path)).text)
      }
      // Even uncompressed.
      assert.isBelow(bytes, 30_000)
      assert.isAbove(gzipSync(text).length, 1000)
      assert.notInclude((yield* request(`/embed?${example}&spread=none`)).text, "Clientium")
    })
  )

  it.effect("can be shown in a frame by any site, unlike every other page", () =>
    Effect.gen(function* () {
      const ancestors = (headers: Headers) =>
        /frame-ancestors ([^;]*)/.exec(headers.get("content-security-policy") ?? "")?.[1]
      const framed = yield* request("/embed")
      assert.strictEqual(ancestors(framed.headers), "*")
      assert.isNull(framed.headers.get("x-frame-options"))
      for (const path of [
        "/",
        `/?${example}`,
        "/report",
        "/docs",
        "/docs/first-call",
        "/credits",
        "/key",
        "/privacy",
        "/nowhere"
      ]) {
        const { headers } = yield* send(path, {
          headers: { accept: "text/html", "x-forwarded-for": `192.0.2.${++clients}` }
        })
        assert.strictEqual(ancestors(headers), "'none'", path)
      }
    })
  )

  it.effect("says in the frame what is wrong, where to correct it, and when to retry", () =>
    Effect.gen(function* () {
      const client = "203.0.113.9"
      const wrong = yield* request(`/embed?emails_sent=abc&a_name=${encodeURIComponent('"><img src=x>')}`)
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "The numbers of this forecast have errors.")
      assert.include(wrong.text, '<a href="/?link=1&amp;emails_sent=abc')
      assert.notInclude(wrong.text, "<img src=x")
      assert.strictEqual((yield* request(`/embed?${example}`, client)).status, 200)
      const refused = yield* request(`/embed?${example}`, client)
      assert.strictEqual(refused.status, 429)
      assert.isAtLeast(Number(refused.headers.get("retry-after")), 1)
      assert.match(refused.headers.get("content-security-policy") ?? "", /frame-ancestors \*/)
      assert.match(refused.text, /Wait \d+ seconds?, then calculate again\./)
    })
  )
})
