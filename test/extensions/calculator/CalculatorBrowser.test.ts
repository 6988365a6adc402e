import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { addressOf } from "../../../src/extensions/calculator/Presets.ts"
import {
  addressContains,
  allowClipboard,
  browserObstacle,
  clipboardOf,
  enter,
  focusIs,
  follow,
  inspect,
  openPage,
  retype,
  selectAll,
  SharedService,
  shows,
  textAt,
  valueAt,
  waitForValue
} from "../../support/Browser.ts"
import { sampleValues } from "../support/sampleValues.ts"
import { slowly } from "../../support/slowly.ts"

const clients = "#outcome strong"
const ofSample = addressOf(sampleValues)

describe.skipIf(browserObstacle !== undefined)("the calculator, in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    it.effect("computes while the visitor types, without requests, accessibly, in less than 110 kB", () =>
      Effect.gen(function* () {
        const { foreign, page, problems, server } = yield* openPage
        yield* Effect.promise(async () => {
          const network = await page.createCDPSession()
          let bytes = 0
          network.on("Network.loadingFinished", ({ encodedDataLength }) => {
            bytes += encodedDataLength
          })
          await network.send("Network.enable")
          // The pages of other tests have filled the cache.
          await network.send("Network.setCacheDisabled", { cacheDisabled: true })
          await page.goto(server.url, { waitUntil: "networkidle0" })
          assert.isBelow(bytes, 110_000)
          assert.isAbove(bytes, 50_000)
          await network.detach()
          await inspect(page, "calculator")
        })
        yield* Effect.promise(() => page.goto(server.url + ofSample))

        const requests: Array<string> = []
        page.on("request", (request) => requests.push(request.url()))
        yield* Effect.promise(async () => {
          assert.strictEqual(await textAt(page, clients), "3.75")
          // Typed without delay: between slow keystrokes the page would compute the number typed so far.
          await selectAll(page, "emails_sent")
          await page.keyboard.sendCharacter("1.000,5")
          await shows(page, "#emails_sent-error", "Emails sent must be a whole number.")
          assert.strictEqual(await textAt(page, clients), "3.75")
          assert.strictEqual(await textAt(page, "#glance"), "Correct the fields to see the forecast.")
          await retype(page, "emails_sent", "10,000")
          await shows(page, clients, "7.5")
          assert.strictEqual(await page.$("#emails_sent-error"), null)
          await shows(page, "#code-python", "emails_sent=10000")
          await shows(page, "#goal-answer", "You get 4")
          await retype(page, "goal", "2")
          await shows(page, "#goal-answer", "Reached")
          await shows(page, "#spoken", "7.5 clients on average")

          // By link: a second campaign, and another first one, which keeps everything else.
          await page.click("#comparison a")
          await shows(page, "#comparison", "Larger deals, fewer closed: ")
          await shows(page, "#comparison", "If you send both")
          await focusIs(page, "b_average_deal_value")
          await page.click("#preset-1")
          await shows(page, clients, "0.814")
          await waitForValue(page, "document.activeElement.textContent", "First campaign")
          assert.strictEqual(await valueAt(page, "#campaign_cost"), "1,500")
          await addressContains(page, "b_average_deal_value=7500")
        })
        assert.deepStrictEqual(requests, [])
        yield* Effect.promise(() => inspect(page, "calculator-full"))

        // The address contains everything: the service responds with the same.
        const [before, after] = yield* Effect.promise(async () => {
          const shown =
            "['outcome', 'advice', 'funnel', 'distribution', 'levers', 'goal-answer', 'comparison', 'code-curl'].map((id) => document.getElementById(id).innerHTML)"
          const before: unknown = await page.evaluate(shown)
          await page.reload()
          const after: unknown = await page.evaluate(shown)
          return [before, after]
        })
        assert.deepStrictEqual(after, before)
        assert.deepStrictEqual(foreign, [])
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("copies the link, and the call in the chosen language", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await allowClipboard(page, server.url)
          await page.goto(
            `${server.url}/?emails_sent=100&reply_rate=5&positive_reply_rate=30&meeting_booking_rate=20&close_rate=25`
          )
          await page.click("#api summary")
          await page.focus("#language-curl")
          await page.keyboard.press("ArrowRight")
          await page.click(".panel-python button")
          await shows(page, ".panel-python button", "Copied")
          const copied: unknown = await clipboardOf(page)
          assert.include(String(copied), "client.forecast(\n    emails_sent=100,\n")
          await page.click("#share")
          await shows(page, "#share", "Link copied")
          const link: unknown = await clipboardOf(page)
          assert.include(String(link), `${server.url}/?link=1&emails_sent=100&reply_rate=5`)
          await page.goto(server.url)
          assert.isTrue(await page.evaluate("document.querySelector('#language-python').checked"))
        })
      })
    )

    it.effect("works without JavaScript: numbers, errors, presets and a second campaign", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.setJavaScriptEnabled(false)
          await page.setViewport({ width: 360, height: 900 })
          await page.goto(server.url + ofSample)
          await retype(page, "reply_rate", "500")
          await retype(page, "campaign_cost", "1.000,50")
          await enter(page)
          assert.match(await page.title(), /^Error: /)
          assert.strictEqual(await textAt(page, ".error-summary li"), "Reply rate must be at most 100.")
          // A page takes the focus when it is first drawn.
          await focusIs(page, "reply_rate")
          await inspect(page, "calculator-errors")
          await page.reload()
          await page.focus(".error-summary a")
          await page.keyboard.press("Enter")
          await focusIs(page, "reply_rate")
          await retype(page, "reply_rate", "2,5")
          await enter(page)
          assert.strictEqual(await textAt(page, clients), "1.88")
          assert.include(await textAt(page, "#code-curl"), '"campaign_cost": 1000.5')
          await follow(page, "#preset-0")
          assert.strictEqual(await valueAt(page, "#reply_rate"), "1.71")
          assert.strictEqual(await valueAt(page, "#campaign_cost"), "2500")
          await follow(page, "#comparison a")
          assert.include(await textAt(page, "#comparison"), "If you send both")
          // Shown without JavaScript.
          await follow(page, "#comparison-submit")
          assert.include(page.url(), "b_close_rate=10")
        })
      })
    )
  })
})
