import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { addressOf, openingValues } from "../../../src/extensions/calculator/Presets.ts"
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
  SharedService,
  textAt,
  valueAt,
  waitForValue
} from "../../support/Browser.ts"
import { sampleValues } from "../support/sampleValues.ts"
import { slowly } from "../../support/slowly.ts"

const slider = (field: string) => `input[data-of="${field}"]`
const valueOf = (selector: string) => `document.querySelector(${JSON.stringify(selector)}).value`
const textOf = (selector: string) => `document.querySelector(${JSON.stringify(selector)}).textContent.trim()`
const clients = textOf("#outcome strong")
const ofSample = addressOf(sampleValues)

describe.skipIf(browserObstacle !== undefined)("the inputs of the calculator, in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    it.effect("have sliders, which follow what is typed, and write it as the page does once it is left", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(server.url + ofSample)
          await page.focus(slider("emails_sent"))
          await page.keyboard.press("ArrowRight")
          assert.strictEqual(await valueAt(page, "#emails_sent"), "5,100")
          await waitForValue(page, clients, "3.83")
          // Typing can exceed the range of the slider.
          await retype(page, "emails_sent", "20,000")
          await waitForValue(page, clients, "15")
          assert.strictEqual(await valueAt(page, slider("emails_sent")), "18000")
          await retype(page, "reply_rate", "5,5")
          await waitForValue(page, clients, "16.5")
          assert.strictEqual(await valueAt(page, "#reply_rate"), "5,5")
          // On leaving a field, its number is written as the page writes numbers; the address has it without separators.
          await page.keyboard.press("Tab")
          assert.strictEqual(await valueAt(page, "#reply_rate"), "5.5")
          await retype(page, "campaign_cost", "1.5k")
          await page.keyboard.press("Tab")
          assert.strictEqual(await valueAt(page, "#campaign_cost"), "1,500")
          await addressContains(page, "emails_sent=20000&reply_rate=5.5&")
          await retype(page, "average_deal_value", "2k or so")
          await page.keyboard.press("Tab")
          assert.strictEqual(await valueAt(page, "#average_deal_value"), "2k or so")
          await retype(page, "average_deal_value", "2500")
          assert.strictEqual(await valueAt(page, slider("reply_rate")), "5.5")
          assert.strictEqual(await valueAt(page, "#emails_sent"), "20,000")
        })
      })
    )

    it.effect("take a sign of a currency for all amounts, and keep it in the link", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(server.url + ofSample)
          const cost = textOf('[data-sign="campaign_cost"]')
          await retype(page, "average_deal_value", "€2,500")
          await waitForValue(page, cost, "€")
          assert.strictEqual(await textAt(page, '[data-sign="average_deal_value"]'), "")
          await page.keyboard.press("Tab")
          assert.strictEqual(await valueAt(page, "#average_deal_value"), "2,500")
          await waitForValue(page, textOf('[data-sign="average_deal_value"]'), "€")
          await addressContains(page, "currency=EUR&")
          await waitForValue(page, textOf("#outcome .tile:nth-child(2) strong"), "€8,780")
          await retype(page, "campaign_cost", "$600")
          await page.keyboard.press("Tab")
          await waitForValue(
            page,
            textOf("#campaign_cost-place"),
            "Campaign cost must be in EUR, as other amounts: none is converted. To use USD, write it with each of them."
          )
          assert.strictEqual(await valueAt(page, "#campaign_cost"), "$600")
          await retype(page, "average_deal_value", "$2,500")
          await page.keyboard.press("Tab")
          await addressContains(page, "currency=USD&")
          await retype(page, "reply_rate", "4 %")
          await page.keyboard.press("Tab")
          assert.strictEqual(await valueAt(page, "#reply_rate"), "4")
          await addressContains(page, "reply_rate=4&")
          // A preset has amounts of its own.
          await page.click("#preset-1")
          await waitForValue(page, cost, "")
          await page.goBack()
          await waitForValue(page, cost, "$")
        })
      })
    )

    it.effect("show results while a slider is dragged, not only afterwards", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(server.url)
          // Continuously, faster than any human pause.
          await page.evaluate(`
            const slider = document.querySelector('${slider("reply_rate")}')
            slider.value = "10"
            setInterval(() => slider.dispatchEvent(new Event("input", { bubbles: true })), 5)`)
          await waitForValue(page, clients, "15.9")
          assert.strictEqual(await page.evaluate("location.search"), "")
          await page.evaluate(
            `document.querySelector('${slider("reply_rate")}').dispatchEvent(new Event("change", { bubbles: true }))`
          )
          await addressContains(page, "reply_rate=10&")
        })
      })
    )

    it.effect("mark only published figures, with the source on hover and focus", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(server.url)
          assert.strictEqual(await page.evaluate("document.querySelectorAll('.slide').length"), 7)
          assert.strictEqual(await page.evaluate("document.querySelectorAll('.slide line').length"), 4)
          assert.strictEqual(
            await page.evaluate(`document.querySelectorAll('.slide:has(${slider("reply_rate")}) line').length`),
            4
          )
          const visibility = "getComputedStyle(document.querySelector('#reply_rate-marks')).visibility"
          assert.strictEqual(await page.evaluate(visibility), "hidden")
          await page.focus(".source button")
          await waitForValue(page, visibility, "visible")
          assert.include(await textAt(page, "#reply_rate-marks"), "median 1.71%")
          await inspect(page, "calculator-marks")
          await page.focus("#reply_rate")
          await waitForValue(page, "getComputedStyle(document.querySelector('#reply_rate-marks')).visibility", "hidden")
          await page.hover(".source button")
          await waitForValue(
            page,
            "getComputedStyle(document.querySelector('#reply_rate-marks')).visibility",
            "visible"
          )
        })
      })
    )

    it.effect("read thousands, and offer each number that an ambiguous text may mean as a button", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(server.url + ofSample)
          await retype(page, "emails_sent", "10k")
          await waitForValue(page, clients, "7.5")
          assert.strictEqual(await valueAt(page, slider("emails_sent")), "10000")
          await retype(page, "campaign_cost", "1.500")
          await waitForValue(page, `${textOf("#campaign_cost-place")}.endsWith("1,500? 1.5?")`, true)
          await inspect(page, "calculator-meant")
          await page.click("#campaign_cost-place a")
          await waitForValue(page, valueOf("#campaign_cost"), "1500")
          await waitForValue(page, textOf("#campaign_cost-place"), "")
          await focusIs(page, "campaign_cost")
          assert.strictEqual(await valueAt(page, "#emails_sent"), "10,000")
          await page.setJavaScriptEnabled(false)
          await page.goto(server.url + ofSample)
          assert.strictEqual(await page.evaluate("document.querySelector('.slide').checkVisibility()"), false)
          await retype(page, "emails_sent", "20.000")
          await enter(page)
          await follow(page, "#emails_sent-place a")
          await waitForValue(page, clients, "15")
        })
      })
    )

    it.effect(
      "are steps of the browser's history when a link fills them, and Back restores the visitor's own numbers",
      () =>
        Effect.gen(function* () {
          const { page, server } = yield* openPage
          yield* Effect.promise(async () => {
            await page.goto(server.url + ofSample)
            await retype(page, "reply_rate", "4")
            await waitForValue(page, clients, "3")
            await page.click("#preset-1")
            await waitForValue(page, clients, "0.814")
            await page.goBack()
            await waitForValue(page, clients, "3")
            assert.strictEqual(await valueAt(page, "#campaign_cost"), "600")
            assert.strictEqual(await page.evaluate("document.querySelector('#presets [aria-current]')"), null)
            await page.goForward()
            await waitForValue(page, clients, "0.814")
            assert.strictEqual(await page.evaluate("document.querySelector('#presets [aria-current]').id"), "preset-1")
            // Errors are restored, too, and links within the page do not change them.
            await retype(page, "reply_rate", "abc")
            await page.evaluate("location.hash = 'past'")
            await waitForValue(page, textOf("#reply_rate-place"), "Reply rate must be a number; write it like 2.5.")
            await page.click("#preset-2")
            await waitForValue(page, textOf("#reply_rate-place"), "")
            await page.goBack()
            await waitForValue(page, valueOf("#reply_rate"), "abc")
            await waitForValue(page, textOf("#reply_rate-place"), "Reply rate must be a number; write it like 2.5.")
          })
        })
    )

    it.effect("are copied as a link only if they are valid", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await allowClipboard(page, server.url)
          await page.goto(server.url)
          await page.evaluate("navigator.clipboard.writeText('before')")
          // An error message moves what is below it, and a click at the same time would miss the button.
          await retype(page, "reply_rate", "abc")
          await waitForValue(page, textOf("#reply_rate-place"), "Reply rate must be a number; write it like 2.5.")
          await page.click("#share")
          await waitForValue(page, textOf("#share"), "Correct the fields first")
          assert.strictEqual(await clipboardOf(page), "before")
          await retype(page, "reply_rate", "5,5")
          await waitForValue(page, textOf("#share"), "Copy link")
          await waitForValue(page, textOf("#reply_rate-place"), "")
          await page.click("#share")
          await waitForValue(page, textOf("#share"), "Link copied")
          assert.include(await clipboardOf(page), "reply_rate=5.5&")
        })
      })
    )

    it.effect("leave no empty field in the address, even without JavaScript", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.setJavaScriptEnabled(false)
          await page.goto(server.url + ofSample)
          await retype(page, "reply_rate", "4")
          await enter(page)
          await waitForValue(page, clients, "3")
          assert.sameMembers(
            [...new URL(page.url()).searchParams.keys()],
            ["link", ...Object.keys(openingValues), "end"]
          )
        })
      })
    )
  })
})
