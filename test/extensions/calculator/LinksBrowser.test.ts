import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { toShort } from "../../../src/extensions/tables/PastRows.ts"
import { linkOf } from "../../../src/extensions/calculator/Link.ts"
import { valuesOf } from "../../../src/extensions/calculator/Presets.ts"
import {
  allowClipboard,
  browserObstacle,
  clipboardOf,
  follow,
  openPage,
  SharedService,
  shows,
  textAt,
  waitForValue
} from "../../support/Browser.ts"
import { sampleValues } from "../support/sampleValues.ts"
import { slowly } from "../../support/slowly.ts"

const history = toShort(
  Array.from({ length: 100 }, (_, index) => ({
    name: `${index} 東京の製造業向け第三四半期キャンペーン.`,
    emails_sent: 3000 + index,
    replies: 60
  }))
)

const lastName = "document.querySelector('[id=\"history/99/name\"]')?.value"

/** The link of the sample with 100 past campaigns, which fit only into a fragment. */
const longLink = linkOf({ ...valuesOf(new URLSearchParams(sampleValues)), history })

describe.skipIf(browserObstacle !== undefined)("a link with 100 long names, in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    it.effect("opens all of them, and keeps them through jumps, presets, the way back and a reload", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const link = longLink
        yield* Effect.promise(async () => {
          await page.goto(server.url + link)
          await shows(page, "#history-sums", "All 100")
          await waitForValue(page, lastName, "99 東京の製造業向け第三四半期キャンペーン.")
          await page.evaluate("location.hash = 'past'")
          await waitForValue(page, "location.pathname + location.search + location.hash", link)
          await page.evaluate("document.querySelector('#preset-1').click()")
          await waitForValue(page, "document.querySelector('#emails_sent').value", "3,000")
          await waitForValue(page, "location.hash.startsWith('#h=1.')", true)
          await page.reload()
          await shows(page, "#history-sums", "All 100")
          await waitForValue(page, "document.querySelector('#emails_sent').value", "3,000")
          await page.goBack()
          await waitForValue(page, "document.querySelector('#emails_sent').value", "5,000")
          await shows(page, "#history-sums", "All 100")
        })
      })
    )

    it.effect("is copied, printed and embedded with all of them", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const link = longLink
        yield* Effect.promise(async () => {
          await allowClipboard(page, server.url)
          await page.goto(server.url + link)
          await shows(page, "#history-sums", "All 100")
          await page.click("#share")
          await shows(page, "#share", "Link copied")
          assert.strictEqual(await clipboardOf(page), server.url + link)
          await follow(page, "#take-along button")
          await shows(page, "main", "Learned from your past campaigns")
          await follow(page, ".controls a")
          await shows(page, "#history-sums", "All 100")
          const hasLinkAt = async (path: string) => {
            await page.goto(server.url + path + link.slice(1))
            await page.waitForSelector('main a[href*="#h=1."]')
          }
          await hasLinkAt("/report")
          await hasLinkAt("/embed")
        })
      })
    )

    it.effect("says so if it was cut off, and shows no forecast without them", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const whole = longLink
        const link = whole.slice(0, -30)
        yield* Effect.promise(async () => {
          // Some programs take an address only up to its fragment.
          await page.goto(server.url + whole.split("#")[0])
          await shows(page, ".error-summary", "This link was cut off")
          await page.goto(server.url + link)
          await shows(page, ".error-summary", "This link was cut off")
          await shows(page, "#glance", "Correct the fields to see the forecast.")
          assert.isTrue(await page.evaluate("document.querySelector('#outcome').inert"))
          const isCutAt = async (path: string) => {
            await page.goto(server.url + path + link.slice(1))
            await shows(page, "h1", "This link was cut off")
          }
          await isCutAt("/report")
          await isCutAt("/embed")
          await page.goto(await textAt(page, "main a", "href"))
          await shows(page, ".error-summary", "This link was cut off")
        })
      })
    )
  })
})
