import { assert, describe, it } from "@effect/vitest"
import { linkMark, siteMark } from "../../../src/mail/Mail.ts"
import { creditsLow } from "../../../src/extensions/notices/noticeMessages.ts"

const about = { name: "Ada", prefix: "ofk_live_4fQz81Lk" }

describe("the email about low credits", () => {
  it("says how long the rest lasts at the pace of the last seven days", () => {
    for (const [remaining, used, lasts] of [
      [1, 200, "less than an hour"],
      [1, 168, "about 1 hour"],
      [19, 81, "about 39 hours"],
      [18, 63, "about 2 days"],
      [8, 1, "about 56 days"],
      [1000, 81, "about 2 months"],
      [50, 1, "about 11 months"],
      [53, 1, "more than a year"],
      [1_999_999, 8_000_001, "about 41 hours"]
    ] as const) {
      const { text } = creditsLow({ ...about, remaining, used })
      assert.include(text, `At the pace of the last seven days, they last ${lasts}.`, `${remaining} after ${used}`)
    }
    // If credits were taken away, there is no pace.
    assert.notInclude(creditsLow({ ...about, remaining: 3, used: 0 }).text, "At the pace")
  })

  it("has the figures in both parts, and the first one in its subject", () => {
    const { html, subject, text } = creditsLow({ ...about, remaining: 1900, used: 8100 })
    assert.strictEqual(subject, "You have 1,900 forecast credits left")
    assert.strictEqual(creditsLow({ ...about, remaining: 1, used: 9 }).subject, "You have 1 forecast credit left")
    for (const figure of ["1,900", "8,100", "ofk_live_4fQz81Lk…", "less than a fifth"]) {
      assert.include(text, figure)
      assert.include(html, figure)
    }
  })

  it("says at 0 what is refused, and mentions no pace", () => {
    const { subject, text } = creditsLow({ ...about, remaining: 0, used: 100 })
    assert.strictEqual(subject, "Your forecast credits are used up")
    assert.include(text, "has no credits left")
    assert.notInclude(text, "pace")
  })

  it("has one button, to buy credits, and below it the link that switches these emails off", () => {
    for (const remaining of [0, 5]) {
      const { html, text } = creditsLow({ ...about, remaining, used: 30 })
      assert.deepStrictEqual(
        [...html.matchAll(/class="button" href="([^"]*)"/g)].map(([, address]) => address),
        [`${siteMark}/credits`]
      )
      assert.strictEqual(text.split(linkMark).length, 2)
      assert.isBelow(text.indexOf(`${siteMark}/credits`), text.indexOf(linkMark))
      assert.include(html, `href="${linkMark}"`)
    }
  })
})
