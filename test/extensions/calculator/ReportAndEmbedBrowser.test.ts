import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { addressOf, type Preset, presets } from "../../../src/extensions/calculator/Presets.ts"
import {
  addressContains,
  browserObstacle,
  follow,
  inspect,
  openPage,
  retype,
  SharedService
} from "../../support/Browser.ts"
import { until } from "../../support/Process.ts"
import { sampleValues } from "../support/sampleValues.ts"
import { slowly } from "../../support/slowly.ts"

const rates = "reply_rate=4.123456&positive_reply_rate=30.5&meeting_booking_rate=20.25&close_rate=25.125"

const past = Array.from({ length: 100 }, (_, index) => `${3000 + index}..60.20.5.4.1.Past+campaign+${index}`).join("_")

const lengthOf = ({ sources }: Preset) => JSON.stringify(sources).length
const [longestSourced] = presets.toSorted((a, b) => lengthOf(b) - lengthOf(a))

const campaigns = {
  example: "",
  "the preset with the most sources": addressOf(longestSourced?.values ?? {}).slice(1),
  "rates alone": `?emails_sent=12&${rates}`,
  "all fields": `?emails_sent=5000&${rates}&average_deal_value=2500&campaign_cost=600&delivery_rate=95&show_rate=80&emails_per_contact=3`,
  "a campaign in flight": `?emails_sent=5000&${rates}&average_deal_value=2500&campaign_cost=600&delivery_rate=95&show_rate=80&so_far_emails_sent=2000&so_far_delivered=1900&so_far_replies=62&so_far_positive_replies=14&so_far_meetings=4&so_far_meetings_held=3&so_far_clients=1`,
  "goal, comparison and track record": `?emails_sent=5000&${rates}&average_deal_value=2500&campaign_cost=600&goal=4&goal_chance=80&b_average_deal_value=7500&history=3000..60_2000..70_9000..100`,
  "all that can be said": `?emails_sent=99,999,999&${rates}&average_deal_value=2500.55&campaign_cost=999999999&delivery_rate=94.9123&show_rate=80.1234&emails_per_contact=3&history=${past}`
}

/** The pages of a PDF. */
const pagesOf = (pdf: Uint8Array): number =>
  [
    ...Buffer.from(pdf)
      .toString("latin1")
      .matchAll(/\/Type\s*\/Page\b/g)
  ].length

const guide = readFileSync(fileURLToPath(new URL("../../../docs/certainty.md", import.meta.url)), "utf8")

const sampleQuery = addressOf(sampleValues).slice(2)

/** The snippet of the guide. */
const snippet = /```html\n([\s\S]*?)```/.exec(guide)?.[1] ?? ""

/** Another site, with a page of its own. */
const otherSite = (page: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((_, response) => {
        response.setHeader("content-type", "text/html; charset=utf-8").end(page)
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        if (typeof address !== "object" || address === null) throw new Error("The site has no port")
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ url: `http://localhost:${address.port}/`, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

describe.skipIf(browserObstacle !== undefined)("in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    describe("the report of a forecast", () => {
      it.effect("fits on one page of A4 and Letter, whatever its content, in either scheme", () =>
        Effect.gen(function* () {
          const { foreign, page, server } = yield* openPage
          for (const [name, query] of Object.entries(campaigns)) {
            yield* Effect.promise(async () => {
              await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }])
              await page.goto(`${server.url}/report${query}`, { waitUntil: "networkidle0" })
              const a4 = await page.pdf({ format: "A4", printBackground: true })
              const letter = await page.pdf({ format: "Letter", printBackground: true })
              assert.deepStrictEqual([pagesOf(a4), pagesOf(letter)], [1, 1], name)
              // Nothing is cut off, and the paper is white.
              await page.emulateMediaType("print")
              await page.setViewport({ width: 816, height: 1056 })
              const height: unknown = await page.evaluate("document.documentElement.scrollHeight")
              assert.isAtMost(Number(height), 1056, name)
              assert.strictEqual(
                await page.evaluate("getComputedStyle(document.querySelector('.sheet')).backgroundColor"),
                "rgb(255, 255, 255)"
              )
              await page.emulateMediaType("screen")
            })
          }
          assert.deepStrictEqual(foreign, [])
        })
      )

      it.effect("is accessible, keeps names in its address, and is linked from the calculator with its numbers", () =>
        Effect.gen(function* () {
          const { page, server } = yield* openPage
          yield* Effect.promise(async () => {
            await page.goto(server.url)
            await retype(page, "campaign_cost", "700")
            await page.waitForFunction("document.querySelector('#take-along a').search.includes('campaign_cost=700')")
            await follow(page, "#take-along a")
            assert.include(page.url(), "/report?")
            await page.type(".sheet header input", "North Agency")
            await page.keyboard.press("Tab")
            await addressContains(page, "&prepared_by=North+Agency&end=1")
            assert.match(await page.title(), /emails, by North Agency – /)
            await page.reload()
            assert.isTrue(await page.evaluate("document.querySelector('.sheet header input').value === 'North Agency'"))
            assert.isTrue(
              await page.evaluate("document.querySelector('.controls a').search.includes('prepared_by=North+Agency')")
            )
            await page.evaluate("print = () => document.body.append('printed')")
            await page.click("#print")
            assert.isTrue(await page.evaluate("document.body.textContent.endsWith('printed')"))
            await inspect(page, "report")
            await page.setJavaScriptEnabled(false)
            await page.goto(server.url)
            await follow(page, "#take-along a")
            assert.isTrue(await page.evaluate("document.querySelector('#print').hidden"))
            await follow(page, ".controls a")
            assert.include(page.url(), "/?link=1&emails_sent=10000")
          })
        })
      )
    })

    describe("a forecast in a frame of another site", () => {
      it.effect("is shown by the guide's snippet, in 30 kB, unlike any other page", () =>
        Effect.gen(function* () {
          const { page, server } = yield* openPage
          const markup = snippet.replaceAll("http://127.0.0.1:3000", server.url)
          assert.include(markup, `src="${server.url}/embed?emails_sent=5000`)
          const framed = markup.replace('loading="lazy"', "")
          const site = yield* otherSite(
            `<!doctype html><title>Agency</title>${framed}${framed.replace("/embed?", "/?").replace("Forecast of", "Page of")}`
          )
          yield* Effect.promise(async () => {
            const network = await page.createCDPSession()
            let bytes = 0
            network.on("Network.loadingFinished", ({ encodedDataLength }) => {
              bytes += encodedDataLength
            })
            await network.send("Network.enable")
            await network.send("Network.setCacheDisabled", { cacheDisabled: true })
            await page.goto(`${server.url}/embed?${markup.split("/embed?")[1]?.split('"')[0] ?? ""}`, {
              waitUntil: "networkidle0"
            })
            assert.isBelow(bytes, 30_000)
            assert.isAbove(bytes, 2000)
            await network.detach()

            await page.goto(site.url, { waitUntil: "networkidle0" })
            const [, embedded] = page.frames()
            const shown: unknown = await embedded?.evaluate("document.querySelector('.says').textContent")
            assert.strictEqual(shown, "Expect 0 to 8 clients. 10 of 100 such campaigns win no client.")
          })
          // The other page is refused, which the browser may report after the network is idle.
          yield* until(() => page.frames()[2]?.url().startsWith("chrome-error:") === true)
        })
      )

      it.effect("is as high as its content at any width, as the calculator and the guide write it", () =>
        Effect.gen(function* () {
          const { page, server } = yield* openPage
          for (const query of [
            "",
            "&currency=CHF&average_deal_value=9999999.99&campaign_cost=9999999",
            "&spread=none"
          ]) {
            const markup = yield* Effect.promise(async () => {
              await page.goto(`${server.url}/?${sampleQuery}${query}`)
              return page.evaluate("document.querySelector('#embed-code').textContent")
            })
            const written = String(markup)
            const withoutAddress = (text: string) => text.replace(/src="[^"]*"/, "").replaceAll(/\s+/g, "")
            assert.strictEqual(withoutAddress(written), withoutAddress(snippet))
            const site = yield* otherSite(
              `<!doctype html><body style="margin:0">${written.replace(' loading="lazy"', "")}`
            )
            yield* Effect.promise(() => page.goto(site.url, { waitUntil: "networkidle0" }))
            for (const width of [320, 360, 600, 640, 1000]) {
              yield* Effect.promise(async () => {
                await page.setViewport({ width, height: 1000 })
                const [own, embedded] = page.frames()
                await embedded?.waitForFunction(`innerWidth === ${width}`)
                const where = `${query} ${width}`
                // Nothing is cut off, and the last line is at the end, within the padding.
                assert.isTrue(await embedded?.evaluate("document.documentElement.scrollHeight === innerHeight"), where)
                assert.isTrue(
                  await embedded?.evaluate(
                    "innerHeight - document.querySelector('.source').getBoundingClientRect().bottom < 13"
                  ),
                  where
                )
                assert.strictEqual(await own?.evaluate("document.documentElement.scrollWidth"), width, where)
              })
            }
          }
        })
      )

      it.effect("is accessible", () =>
        Effect.gen(function* () {
          const { foreign, page, server } = yield* openPage
          yield* Effect.promise(() => page.goto(`${server.url}/embed`, { waitUntil: "networkidle0" }))
          yield* Effect.promise(() => inspect(page, "embed"))
          assert.deepStrictEqual(foreign, [])
        })
      )
    })
  })
})
