import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { addressOf } from "../../../src/extensions/calculator/Presets.ts"
import { browserObstacle, openPage, SharedService } from "../../support/Browser.ts"
import { sampleValues } from "../support/sampleValues.ts"
import { slowly } from "../../support/slowly.ts"

/** The points of a drawing, and the one whose numbers are shown. */
const shown = (page: Page, drawing: string, part = ".tip") =>
  page.evaluate(
    `[...document.querySelectorAll("#${drawing} .point")].flatMap((point, index) =>
      getComputedStyle(point.querySelector("${part}")).visibility === "visible" ? [index] : [])`
  )

describe.skipIf(browserObstacle !== undefined)("the points of the calculator's charts, in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    it.effect("react to the pointer, touch and the keyboard, with one Tab stop per chart", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.setViewport({ width: 360, height: 740, hasTouch: true })
          await page.goto(server.url + addressOf(sampleValues))
          for (const drawing of ["distribution", "funnel", "levers"]) {
            const stops: unknown = await page.evaluate(
              `document.querySelectorAll("#${drawing} [tabindex='0']").length + 100 * document.querySelectorAll("#${drawing} :is(a, button)").length`
            )
            assert.strictEqual(stops, 1, drawing)
          }
          assert.deepStrictEqual(await shown(page, "distribution"), [])

          await page.focus(".embedding summary")
          await page.keyboard.press("Tab")
          // The bar of the median.
          assert.deepStrictEqual(await shown(page, "distribution"), [3])
          await page.keyboard.press("ArrowRight")
          assert.deepStrictEqual(await shown(page, "distribution"), [4])
          await page.keyboard.press("Home")
          await page.keyboard.press("ArrowLeft")
          assert.deepStrictEqual(await shown(page, "distribution"), [0])
          await page.keyboard.press("End")
          assert.deepStrictEqual(await shown(page, "distribution"), [12])
          await page.keyboard.press("Escape")
          assert.deepStrictEqual(await shown(page, "distribution"), [])
          // Tab returns to the bar that it left.
          await page.focus(".embedding summary")
          await page.keyboard.press("Tab")
          assert.deepStrictEqual(await shown(page, "distribution"), [12])
          await page.keyboard.press("Tab")
          assert.isFalse(await page.evaluate("document.activeElement.closest('#distribution') !== null"))

          // After the group below the points.
          await page.hover("#distribution .point:nth-of-type(3) .hit")
          assert.deepStrictEqual(await shown(page, "distribution"), [1])
          await page.mouse.move(0, 0)
          await page.tap("#levers .point:nth-of-type(4) .hit")
          assert.deepStrictEqual(await shown(page, "levers", ".end"), [2])
        })
      })
    )

    it.effect("show the numbers at the ends of all levers in print and without JavaScript", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(server.url + addressOf(sampleValues))
          assert.deepStrictEqual(await shown(page, "levers", ".end"), [])
          await page.emulateMediaType("print")
          assert.deepStrictEqual(await shown(page, "levers", ".end"), [0, 1, 2, 3, 4, 5, 6])
          assert.deepStrictEqual(await shown(page, "distribution"), [])
          await page.emulateMediaType("screen")
          await page.setJavaScriptEnabled(false)
          await page.reload()
          assert.deepStrictEqual(await shown(page, "levers", ".end"), [0, 1, 2, 3, 4, 5, 6])
          await page.evaluate(`document.querySelector("#distribution [tabindex='0']").focus()`)
          assert.deepStrictEqual(await shown(page, "distribution"), [3])
        })
      })
    )
  })
})
