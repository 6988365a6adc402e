import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { browserObstacle, openPage, SharedService } from "../../support/Browser.ts"
import { sample } from "../../support/Samples.ts"
import { slowly } from "../../support/slowly.ts"

const campaign = new URLSearchParams(
  Object.entries({ ...sample, average_deal_value: 2_500_000, goal: 40, goal_aim: "clients", b_reply_rate: 7 }).map(
    ([name, value]): [string, string] => [name, String(value)]
  )
).toString()

const pages = [
  "/",
  `/?${campaign}`,
  `/embed?${campaign}`,
  `/report?${campaign}`,
  "/list",
  "/docs",
  "/docs/first-call",
  "/docs/clients",
  "/credits",
  "/key",
  "/privacy"
]

/** The elements of a page that end to the right of the screen, except inside what scrolls or is cut off. */
const tooWide = `[...document.querySelectorAll("body *")].filter((element) => {
  const { right, width } = element.getBoundingClientRect()
  if (width === 0 || right < document.documentElement.clientWidth + 1) return false
  for (let around = element.parentElement; around !== document.body; around = around.parentElement) {
    if (getComputedStyle(around).overflowX !== "visible") return false
  }
  return true
}).map(({ outerHTML }) => outerHTML.slice(0, 80)).join()`

describe.skipIf(browserObstacle !== undefined)("a narrow screen, in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    for (const path of pages) {
      it.effect(`needs no sideways scrolling, also with large letters: ${path.replace(campaign, "…")}`, () =>
        Effect.gen(function* () {
          const { page, server } = yield* openPage
          yield* Effect.promise(async () => {
            const settings = await page.createCDPSession()
            for (const [width, standard] of [
              [320, 16],
              [320, 20],
              [390, 24],
              // A font whose letters are wide takes as much room at a smaller size.
              [320, 32]
            ] as const) {
              await settings.send("Page.setFontSizes", { fontSizes: { standard } })
              await page.setViewport({ width, height: 740 })
              await page.goto(`${server.url}${path}`)
              const found = await page.evaluate(`
                document.querySelectorAll("details").forEach((each) => { each.open = true });
                [getComputedStyle(document.documentElement).fontSize, document.documentElement.scrollWidth, ${tooWide}]`)
              assert.deepStrictEqual(found, [`${standard}px`, width, ""])
            }
          })
        })
      )
    }

    it.effect("shows what a chart can be taken along with as targets of at least 24 pixels", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(server.url)
          await page.waitForSelector("#share:not([hidden])")
          const heights: unknown = await page.evaluate(
            `[...document.querySelectorAll(".tools :is(a, .linklike)")].map((each) => each.getBoundingClientRect().height)`
          )
          assert.deepStrictEqual(heights, [24, 24, 24])
        })
      })
    )
  })
})
