import { assert, describe, layer } from "@effect/vitest"
import axe from "axe-core"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { openPage, SharedService, browserObstacle } from "../support/Browser.ts"

/** Opens the reference, and waits until Scalar has filled it in. */
const open = async (page: Page, url: string) => {
  await page.goto(`${url}/docs`)
  await page.waitForFunction("document.body.innerText.includes('meeting_booking_rate')")
}

describe.skipIf(browserObstacle !== undefined)("the reference, in a browser", () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    it.effect("is below the bar of the site, and no wider than the screen of a phone", () =>
      Effect.gen(function* () {
        const { foreign, page, server } = yield* openPage
        yield* Effect.promise(() => open(page, server.url))
        for (const width of [1280, 360]) {
          yield* Effect.promise(() => page.setViewport({ width, height: 900 }))
          for (const scroll of [0, 1500]) {
            const seen: unknown = yield* Effect.promise(async () => {
              await page.evaluate(`window.scrollTo({ top: ${scroll}, behavior: "instant" })`)
              return page.evaluate(`({
                width: document.documentElement.scrollWidth,
                isBarInFront: document.elementFromPoint(30, 24).closest("body > .site") !== null,
                isCurrentInSight: document.querySelector("body > .site [aria-current]").getBoundingClientRect().right <= ${width},
                isNextBelow: document.elementFromPoint(30, 72).closest(".t-doc__header, .t-doc__sidebar") !== null
              })`)
            })
            assert.deepStrictEqual(
              seen,
              { width, isBarInFront: true, isCurrentInSight: true, isNextBelow: true },
              `${width} ${scroll}`
            )
          }
        }
        assert.deepStrictEqual(foreign, [])
      })
    )

    it.effect("can be read in light and dark: axe-core finds no text that is too faint", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        for (const scheme of ["light", "dark"]) {
          const faint: unknown = yield* Effect.promise(async () => {
            await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }])
            await open(page, server.url)
            await page.evaluate(axe.source)
            return page.evaluate(`axe.run({ runOnly: ["color-contrast"] }).then(({ violations }) =>
              violations.flatMap(({ nodes }) => nodes.map(({ html }) => html)))`)
          })
          assert.deepStrictEqual(faint, [], scheme)
        }
      })
    )

    it.effect("makes a call with the demo key where one is accepted", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const status = yield* Effect.promise(async () => {
          await page.setViewport({ width: 1280, height: 900 })
          await open(page, server.url)
          const answer = page.waitForResponse((response) => response.url().endsWith("/api/v1/forecast"))
          await page.evaluate(
            "[...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Test Request')).click()"
          )
          await page.waitForFunction(
            "[...document.querySelectorAll('button')].some(({ innerText }) => /^Send/.test(innerText))"
          )
          await page.keyboard.down("Control")
          await page.keyboard.press("Enter")
          await page.keyboard.up("Control")
          return (await answer).status()
        })
        assert.strictEqual(status, 200)
      })
    )

    it.effect("lists the endpoints, shows how to call them, and links to none of its vendor's services", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const { links, text } = yield* Effect.promise(async () => {
          await page.setViewport({ width: 1280, height: 900 })
          await open(page, server.url)
          // Scalar draws an operation when it comes into sight.
          await page.evaluate("location.hash = '#tag/forecasts/POST/api/v1/forecast'")
          await page.waitForFunction("document.body.innerText.includes('$SERVICE_API_KEY')")
          return {
            text: String(await page.evaluate("document.body.innerText")),
            links: String(await page.evaluate("[...document.links].map(({ href }) => href).join(' ')")).split(" ")
          }
        })
        assert.notMatch(text, /Client Libraries|Open API Client|Generate SDK|Deploy|Share|Developer Tools|Ruby|PHP/i)
        assert.deepStrictEqual(
          [...new Set(links.map((link) => new URL(link).origin))],
          // The second is said by the text "Powered by Scalar".
          [server.url, "https://www.scalar.com"]
        )
        assert.include(links, `${server.url}/docs/first-call`)
        // The order of the funnel, not of the alphabet.
        const fields = ["emails_sent", "reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"]
        const places = fields.map((field) => text.search(new RegExp(`^${field}$`, "m")))
        assert.deepStrictEqual(
          places,
          places.toSorted((a, b) => a - b)
        )
        assert.notInclude(places, -1)
      })
    )
  })
})
