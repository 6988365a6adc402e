import { assert, describe, it } from "@effect/vitest"
import axe from "axe-core"
import { Effect } from "effect"
import { openService } from "../support/Browser.ts"

describe("the reference, in a browser", () => {
  it.live(
    "is below the bar of the guide, which shows where one is, and no wider than the screen of a phone",
    () =>
      Effect.gen(function* () {
        const { page, server } = yield* openService
        const foreign: Array<string> = []
        page.on("request", (request) => {
          if (!request.url().startsWith(server.url) && !/^(?:data|blob):/.test(request.url()))
            foreign.push(request.url())
        })
        for (const width of [1280, 360]) {
          yield* Effect.promise(async () => {
            await page.setViewport({ width, height: 900 })
            await page.goto(`${server.url}/docs`)
            // Scalar fills the page in when it has been read.
            await page.waitForFunction("document.body.innerText.includes('meeting_booking_rate')")
          })
          for (const scroll of [0, 1500]) {
            const seen: unknown = yield* Effect.promise(async () => {
              await page.evaluate(`window.scrollTo({ top: ${scroll}, behavior: "instant" })`)
              return page.evaluate(`({
                width: document.documentElement.scrollWidth,
                isBarInFront: document.elementFromPoint(30, 24).closest("body > nav") !== null,
                isCurrentInSight: document.querySelector("body > nav [aria-current]").getBoundingClientRect().right <= ${width},
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
      }),
    60_000
  )

  it.live(
    "can be read in light and dark: axe-core finds no text that is too faint",
    () =>
      Effect.gen(function* () {
        const { page, server } = yield* openService
        for (const scheme of ["light", "dark"]) {
          const faint: unknown = yield* Effect.promise(async () => {
            await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }])
            await page.goto(`${server.url}/docs`)
            await page.waitForFunction("document.body.innerText.includes('meeting_booking_rate')")
            await page.evaluate(axe.source)
            return page.evaluate(`axe.run({ runOnly: ["color-contrast"] }).then(({ violations }) =>
              violations.flatMap(({ nodes }) => nodes.map(({ html }) => html)))`)
          })
          assert.deepStrictEqual(faint, [], scheme)
        }
      }),
    60_000
  )

  it.live(
    "offers what is here, and none of the services of those who made it",
    () =>
      Effect.gen(function* () {
        const { page, server } = yield* openService
        const { links, text } = yield* Effect.promise(async () => {
          await page.setViewport({ width: 1280, height: 900 })
          await page.goto(`${server.url}/docs`)
          await page.waitForFunction("document.body.innerText.includes('meeting_booking_rate')")
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
      }),
    60_000
  )
})
