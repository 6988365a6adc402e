import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { browserObstacle, inspect, openPage, SharedService } from "../../support/Browser.ts"
import { slowly } from "../../support/slowly.ts"

describe.skipIf(browserObstacle !== undefined)("the reference, in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    it.effect("is no wider than a phone, even unfolded, with no axe-core findings", () =>
      Effect.gen(function* () {
        const { foreign, page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/docs`)
          await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
          await inspect(page, "reference")
        })
        assert.deepStrictEqual(foreign, [])
      })
    )

    it.effect("keeps its scroll position while its examples get tabs", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const heights = yield* Effect.promise(async () => {
          await page.setViewport({ width: 1280, height: 900 })
          await page.goto(`${server.url}/docs`)
          await page.evaluate("for (const each of document.querySelectorAll('details.endpoint')) each.open = true")
          const height = "document.querySelector('.examples').offsetHeight"
          const tabs = await page.evaluate(height)
          await page.evaluate("document.querySelector('.examples .tabs').remove()")
          await page.evaluate(
            "document.querySelectorAll('.examples .example').forEach((each) => (each.hidden = false))"
          )
          return [tabs, await page.evaluate(height)]
        })
        assert.isAbove(Number(heights[0]), 50)
        assert.strictEqual(heights[1], heights[0])
      })
    )

    it.effect("shows at most 2,500 words until an endpoint is unfolded", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const words = yield* Effect.promise(async () => {
          await page.setViewport({ width: 1280, height: 900 })
          await page.goto(`${server.url}/docs`)
          return page.evaluate("document.querySelector('main').innerText.split(/\\s+/).length")
        })
        assert.isAtMost(Number(words), 2500)
      })
    )

    it.effect("unfolds the operation that a link leads to, without JavaScript", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(() => page.setJavaScriptEnabled(false))
        for (const path of ["forecasts/POST/api/v1/forecast", "orders/GET/api/v1/orders/%7Border_id%7D"]) {
          const seen: unknown = yield* Effect.promise(async () => {
            await page.goto(`${server.url}/docs#tag/${path}`)
            return page.evaluate(`({
              isShown: document.querySelector(":target").checkVisibility(),
              isTitleInView: document.querySelector(".endpoint:has(:target) h3").getBoundingClientRect().top >= 0,
              isTrialHidden: document.querySelector(".trial").checkVisibility() === false
            })`)
          })
          assert.deepStrictEqual(seen, { isShown: true, isTitleInView: true, isTrialHidden: true }, path)
        }
      })
    )

    it.effect("makes a call with the demo key if it is accepted, and keeps another key for all calls of the page", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const seen = yield* Effect.promise(async () => {
          await page.goto(`${server.url}/docs#tag/forecasts/POST/api/v1/forecast`)
          await page.click(":target .trial summary")
          await page.click(":target .trial button")
          await page.waitForFunction(
            "document.querySelector(':target output').textContent.includes('estimated_clients')"
          )
          const forecast = await page.evaluate("document.querySelector(':target output').textContent")
          await page.evaluate("document.querySelector(':target [name=key]').value = ''")
          await page.type(":target [name=key]", "wrong")
          await page.goto(`${server.url}/docs#tag/credits/GET/api/v1/usage`)
          await page.click(":target .trial summary")
          await page.click(":target .trial button")
          await page.waitForFunction("document.querySelector(':target output').textContent !== ''")
          return { forecast, usage: await page.evaluate("document.querySelector(':target output').textContent") }
        })
        assert.match(
          String(seen.forecast),
          /^200 OK\n\n\{\n {2}"summary": "Is 5% of .*",\n {2}"estimated_replies": 250,/
        )
        assert.match(String(seen.usage), /^401 [^]*"code": "invalid_key"/)
      })
    )
  })
})
