import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { guideNames } from "../../src/http/pages/Guide.ts"
import { inspect, openService } from "../support/Browser.ts"
import { Answer } from "../support/Http.ts"

describe("the guide, in a browser", () => {
  it.live(
    "is read with the keyboard alone, without JavaScript, on a phone and in the dark, and axe-core finds nothing",
    () =>
      Effect.gen(function* () {
        const { page, server } = yield* openService
        const foreign: Array<string> = []
        page.on("request", (request) => {
          if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) foreign.push(request.url())
        })
        for (const name of guideNames) {
          yield* Effect.promise(() => page.goto(`${server.url}/docs/${name}`))
          yield* inspect(page, `guide-${name}`)
        }
        assert.deepStrictEqual(foreign, [])

        yield* Effect.promise(async () => {
          await page.setJavaScriptEnabled(false)
          await page.goto(`${server.url}/docs/${guideNames[0]}`)
          // The name of the product, then the pages.
          for (let i = 0; i < 3; i++) await page.keyboard.press("Tab")
          await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
        })
        assert.strictEqual(page.url(), `${server.url}/docs/${guideNames[1]}`)
      }),
    120_000
  )

  it.live(
    "takes whoever follows the type of a problem to what explains it",
    () =>
      Effect.gen(function* () {
        const { page, server } = yield* openService
        const top = yield* Effect.promise(async () => {
          const response = await fetch(`${server.url}/nope`)
          const { problem } = new Answer(response.status, response.headers, await response.text())
          await page.goto(problem.type)
          return page.evaluate("document.querySelector(':target').getBoundingClientRect().top")
        })
        assert.isBelow(Number(top), 200)
      }),
    60_000
  )

  it.live(
    "is a bar above the reference, which shows how to call an operation",
    () =>
      Effect.gen(function* () {
        const { page, server } = yield* openService
        yield* Effect.promise(async () => {
          await page.setViewport({ width: 1280, height: 900 })
          await page.goto(`${server.url}/docs#tag/forecasts/POST/api/v1/forecast`)
          // Scalar draws an operation when it comes into sight.
          while (!String(await page.evaluate("document.body.innerText")).includes("$SERVICE_API_KEY")) {
            await new Promise((resolve) => setTimeout(resolve, 50))
          }
          await Promise.all([page.waitForNavigation(), page.click('body > nav a[href="/docs/errors"]')])
        })
        assert.strictEqual(page.url(), `${server.url}/docs/errors`)
      }),
    30_000
  )
})
