import { assert, describe, it } from "@effect/vitest"
import { linkMark } from "../../src/mail/Mail.ts"
import { creditsAdded } from "../../src/mail/messages/creditsAdded.ts"
import { confirmKey } from "../../src/mail/messages/confirmKey.ts"
import { replaceKey } from "../../src/mail/messages/replaceKey.ts"

const messages = {
  confirmKey: (name: string) => confirmKey(name),
  replaceKey: (name: string) => replaceKey(name, "ofk_live_4fQz81Lk"),
  "creditsAdded to a new key": (name: string) =>
    creditsAdded({ name, credits: 500, balance: 500, prefix: "", isUsable: false }),
  "creditsAdded to a key in use": (name: string) =>
    creditsAdded({ name, credits: 2500, balance: 2600, prefix: "ofk_live_4fQz81Lk", isUsable: true })
}

for (const [kind, message] of Object.entries(messages)) {
  describe(`the message ${kind}`, () => {
    it("says the same in both parts, with the link in each", () => {
      const { html, subject, text } = message("Ada")
      assert.notMatch(subject, /[\r\n]/)
      assert.strictEqual(text.split(linkMark).length, 2)
      assert.include(html, `href="${linkMark}"`)
      for (const paragraph of text.split("\n\n").slice(1, -1)) {
        assert.include(html, paragraph.replace(`:\n${linkMark}`, "").replaceAll("'", "&#39;"))
      }
    })

    it("puts any name on one line and into its place", () => {
      const nasty = [
        '<script>alert("x")</script>',
        "Ada\r\nBcc: all@example.com",
        "Ada\u2028Lovelace\u0000",
        "\u202Egnp.exe",
        `{link} ${linkMark}`,
        "x".repeat(200)
      ]
      for (const name of nasty) {
        const { html, text } = message(name)
        assert.notInclude(html, "<script>")
        assert.strictEqual(text.split(linkMark).length, 2)
        assert.strictEqual(html.split(linkMark).length, 3)
        const [greeting = ""] = text.split("\n\n")
        assert.match(greeting, /^Hello \u2068[^\p{Cc}\p{Zl}\u202E]*\u2069,$/u)
      }
    })
  })
}
