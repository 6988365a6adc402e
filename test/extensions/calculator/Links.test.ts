import { deflateSync } from "node:zlib"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { contentOf, fragmentOf, hasHistory, historyIn } from "../../../src/extensions/tables/Fragment.ts"
import { campaignsIn, readHistory, tableOf, toShort } from "../../../src/extensions/tables/PastRows.ts"
import { linkOf } from "../../../src/extensions/calculator/Link.ts"
import { addressOf, isWhole, valuesOf } from "../../../src/extensions/calculator/Presets.ts"
import { readForm } from "../../../src/extensions/calculator/readForm.ts"
import { accessApplication, send } from "../../support/Http.ts"
import type { Init } from "../../support/Requests.ts"
import { sampleValues } from "../support/sampleValues.ts"

/** The form that opens at an address. */
const opened = (address: string) => valuesOf(new URL(address, "http://localhost").searchParams)

const names = (history: string | undefined) => campaignsIn(history ?? "").map(({ name }) => name)

const japanese = Array.from({ length: 100 }, (_, index) => ({
  name: `${index} 東京の製造業向け第三四半期キャンペーン`,
  emails_sent: 3000 + index,
  replies: 60
}))

const withHistory = (history: string) => ({ ...sampleValues, history })

describe("a link to the calculator", () => {
  it("keeps names as they were typed", () => {
    const typed = ["Example Inc.", "etc...", "v1.", "a_b*c.", ".5", "Q&A = 50% + more; #1"]
    const history = toShort(typed.map((name) => ({ name, emails_sent: 4200, replies: 210 })))
    assert.deepStrictEqual(names(opened(addressOf(withHistory(history)))["history"]), typed)
    const compared = opened(addressOf({ ...sampleValues, a_name: "Acme Ltd.", b_name: "etc…", b_reply_rate: "3" }))
    assert.deepStrictEqual([compared["a_name"], compared["b_name"]], ["Acme Ltd.", "etc…"])
  })

  it("works where & was written as in HTML", () => {
    const escaped = addressOf(sampleValues).replaceAll("&", "&amp;")
    assert.deepStrictEqual(opened(escaped), opened(addressOf(sampleValues)))
    assert.deepStrictEqual(opened(escaped.replaceAll("&amp;", "&amp;amp;")), opened(addressOf(sampleValues)))
  })

  it.effect("has its past campaigns in the query up to 2,000 characters, and above that in the fragment", () =>
    Effect.gen(function* () {
      const few = withHistory(toShort(japanese.slice(0, 2)))
      assert.isTrue(isWhole(few))
      assert.strictEqual(linkOf(few), addressOf(few))
      const values = withHistory(tableOf(readHistory(toShort(japanese)).rows))
      assert.isFalse(isWhole(values))
      const link = linkOf(values, "/report")
      const { hash, pathname, search } = new URL(link, "http://localhost")
      const query = addressOf(sampleValues).slice(1).replace("end=1", "end=h")
      assert.deepStrictEqual([pathname, search], ["/report", query])
      assert.isTrue(hasHistory(hash))
      assert.isBelow(link.length, 4000)
      assert.strictEqual(yield* Effect.promise(() => historyIn(hash)), toShort(japanese))
      // A link from before still has all of them in the query.
      assert.lengthOf(names(opened(`/?history=${encodeURIComponent(toShort(japanese))}`)["history"]), 100)
    })
  )

  it.effect("says so if it was cut off, instead of computing with half a number", () =>
    Effect.gen(function* () {
      const whole = addressOf(withHistory("4200..210_3100..96"))
      for (let length = "/?link=1".length; length < whole.length; length++) {
        const { errors, input } = readForm(opened(whole.slice(0, length)))
        assert.isUndefined(input, whole.slice(0, length))
        assert.include(errors[0]?.message, "This link was cut off")
      }
      const fragment = fragmentOf(deflateSync(contentOf(toShort(japanese))))
      for (const length of [5, 6, 20, fragment.length - 20, fragment.length - 1]) {
        assert.isUndefined(yield* Effect.promise(() => historyIn(fragment.slice(0, length))), String(length))
      }
    })
  )
})

let clients = 0

const sent = (path: string, init: Init = {}) =>
  send(path, { ...init, headers: { "x-forwarded-for": `192.0.2.${++clients}` } })

layer(accessApplication())("The pages about a campaign", (it) => {
  const body = String(new URLSearchParams(withHistory(tableOf(readHistory(toShort(japanese)).rows))))

  it.effect("answer a form with 100 long names, for browsers without scripts, and link to all of it", () =>
    Effect.gen(function* () {
      for (const path of ["/", "/report", "/embed"]) {
        const { status, text } = yield* sent(path, { method: "POST", body })
        assert.strictEqual(status, 200, path)
        if (path === "/") assert.include(text, "<td>All 100</td>")
        else assert.match(text, /href="[^"]*\/\?link=1&amp;[^"]*&amp;end=h#h=1\.[\w-]+"/, path)
      }
    })
  )

  it.effect("fill a form with a preset, whose past campaigns stay, for browsers without scripts", () =>
    Effect.gen(function* () {
      const { status, text } = yield* sent("/?preset=1", {
        method: "POST",
        body,
        headers: { "content-type": "application/x-www-form-urlencoded" }
      })
      assert.strictEqual(status, 200)
      assert.include(text, "<td>All 100</td>")
      assert.match(text, /name="emails_sent"[^>]* value="3000"/)
      assert.match(text, /<button type="submit" form="calculator" formaction="\/\?preset=2"/)
      // The Enter key presses the first one.
      assert.notInclude(/<button type="submit" form="calculator"[^>]*>/.exec(text)?.[0], "formaction")
    })
  )

  it.effect("answer a cut link with the numbers that are left, and what to do", () =>
    Effect.gen(function* () {
      const cut = addressOf(sampleValues).replace(/0&end=1$/, "")
      const { status, text } = yield* sent(cut)
      assert.strictEqual(status, 400)
      assert.include(text, "<p>This link was cut off: its end is missing, so a number may be incomplete.")
      assert.include(text, 'name="campaign_cost"')
      const embedded = yield* sent(`/embed${cut.slice(1)}`)
      assert.strictEqual(embedded.status, 400)
      assert.include(embedded.text, "This link was cut off")
    })
  )

  it.effect("say without scripts that figures leave out the past campaigns in the fragment of a link", () =>
    Effect.gen(function* () {
      for (const path of ["/", "/report", "/embed"] as const) {
        const link = addressOf(sampleValues, path)
        const { text } = yield* sent(link.replace("end=1", "end=h"))
        assert.match(text, /<noscript><p><strong>Without past campaigns:<\/strong> this link has some/, path)
        assert.notInclude(text, "unread=")
        for (const whole of [link, link.replace("end=1", "history=4200..210&end=h")])
          assert.notInclude((yield* sent(whole)).text, "Without past campaigns", whole)
      }
    })
  )

  it.effect("answer a form that is too large with a page, and not with JSON", () =>
    Effect.gen(function* () {
      const headers = { accept: "text/html", "x-forwarded-for": "192.0.2.200" }
      const { status, text } = yield* send("/", { method: "POST", body: "x".repeat(200_000), headers })
      assert.strictEqual(status, 413)
      assert.match(text, /^<!doctype html>/)
    })
  )
})
