import { assert, describe, it } from "@effect/vitest"
import { linkMark, siteMark } from "../../src/mail/Mail.ts"
import { creditsAdded } from "../../src/orders/orderMessages.ts"
import { confirmKey, replaceKey } from "../../src/keys/accessMessages.ts"

const paid = { orderId: "ord_0123456789abcdef", credits: 2500, balance: 2600, price: "79 USD" }

const messages = {
  replaceKey: (name: string) => replaceKey(name, "ofk_live_4fQz81Lk"),
  "creditsAdded to a key in use": (name: string) =>
    creditsAdded({ ...paid, name, prefix: "ofk_live_4fQz81Lk", isUsable: true })
}

/** A text that a stranger wants someone to read. */
const notNames = [
  "Your invoice is overdue, pay at https://evil.example/pay or call +1 555 0100",
  "evil.example",
  "www.evil",
  "call 5 5 5 0 1 0 0",
  "\uFF0B\uFF11\uFF15\uFF15\uFF15\uFF10\uFF11",
  "ada@evil.example",
  "Dear customer, your account has been suspended until you reply to us",
  "x".repeat(61)
]

describe("an email to an unconfirmed address", () => {
  const unconfirmed = {
    "confirms it": confirmKey({ isFirst: true }),
    "confirms another spelling": confirmKey({ isFirst: false }),
    "announces credits": creditsAdded({ ...paid, name: undefined, prefix: "", isUsable: false })
  }
  for (const [kind, { html, text }] of Object.entries(unconfirmed)) {
    it(`${kind} and greets nobody by name, with the link in both parts`, () => {
      assert.match(text, /^Hello,\n/)
      assert.strictEqual(text.split(linkMark).length, 2)
      assert.include(html, `href="${linkMark}"`)
    })
  }
  it("says if its key comes without free credits", () => {
    assert.include(unconfirmed["confirms another spelling"].text, "comes without any")
    assert.notInclude(unconfirmed["confirms it"].text, "comes without any")
  })
})

for (const [kind, message] of Object.entries(messages)) {
  describe(`the message ${kind}`, () => {
    it("says the same in both parts, with the link in each", () => {
      const { html, subject, text } = message("Ada")
      assert.notMatch(subject, /[\r\n]/)
      assert.strictEqual(text.split(linkMark).length, 2)
      assert.include(html, `href="${linkMark}"`)
      // A row of the table of figures has two cells.
      const parts = text
        .split("\n\n")
        .slice(1, -1)
        .flatMap((paragraph) => paragraph.split(/:\n|\n|: /))
      for (const part of parts) assert.include(html, part.replaceAll("'", "&#39;"))
    })

    it("has one button, which breaks nothing: the link that replaces the key is a text link below it", () => {
      const { html, text } = message("Ada")
      assert.deepStrictEqual(
        [...html.matchAll(/class="button" href="([^"]*)"/g)].map(([, address]) => address),
        [`${siteMark}/key`]
      )
      assert.isBelow(text.indexOf(`${siteMark}/key`), text.indexOf("Lost the key? This link shows a new one"))
      assert.isBelow(text.indexOf("Lost the key?"), text.indexOf(linkMark))
    })

    it("leaves out an implausible name", () => {
      for (const name of notNames) assert.match(message(name).text, /^Hello,\n/)
      for (const name of ["Ada Lovelace", "J. R. R. Tolkien", "山田太郎", "Henry VIII", "Jean-Luc O'Neill 2nd"]) {
        assert.include(message(name).text, name)
      }
    })

    it("keeps any name on one line, as text, in its own text direction", () => {
      const maliciousNames = [
        '<b onload="x">Ada',
        "Ada\r\nBcc: all",
        "Ada\u2028Lovelace\u0000",
        "\u202Egnp exe",
        `{link} ${linkMark}`,
        "x".repeat(60)
      ]
      for (const name of maliciousNames) {
        const { html, text } = message(name)
        assert.notInclude(html, "<b onload")
        assert.strictEqual(text.split(linkMark).length, 2)
        assert.strictEqual(html.split(linkMark).length, 2)
        const [greeting = ""] = text.split("\n\n")
        assert.match(greeting, /^Hello \u2068[^\p{Cc}\p{Zl}\u202E]*\u2069,$/u)
      }
    })
  })
}
