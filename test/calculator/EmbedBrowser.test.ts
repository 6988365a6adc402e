import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { browserObstacle, inspect, openPage, SharedService } from "../support/Browser.ts"
import { until } from "../support/Process.ts"

const guide = readFileSync(fileURLToPath(new URL("../../docs/certainty.md", import.meta.url)), "utf8")

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

describe.skipIf(browserObstacle !== undefined)("a forecast in a frame of another site", () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
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

          // Even on a phone, all of it is visible at the height in the guide.
          await page.setViewport({ width: 360, height: 740 })
          await page.goto(site.url, { waitUntil: "networkidle0" })
          const [, embedded] = page.frames()
          const shown: unknown = await embedded?.evaluate("document.querySelector('.says').textContent")
          assert.strictEqual(shown, "Expect 0 to 8 clients. In 10 of 100 such campaigns there is none.")
          const height: unknown = await embedded?.evaluate("document.body.scrollHeight")
          assert.isAtMost(Number(height), 700)
        })
        // The other page is refused, which the browser may report after the network is idle.
        yield* until(() => page.frames()[2]?.url().startsWith("chrome-error:") === true)
      })
    )

    it.effect("is accessible", () =>
      Effect.gen(function* () {
        const { foreign, page, server } = yield* openPage
        yield* Effect.promise(() => page.goto(`${server.url}/embed`, { waitUntil: "networkidle0" }))
        yield* inspect(page, "embed")
        assert.deepStrictEqual(foreign, [])
      })
    )
  })
})
