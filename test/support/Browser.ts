import { existsSync, mkdirSync } from "node:fs"
import { assert } from "@effect/vitest"
import axe from "axe-core"
import { Effect, Schema } from "effect"
import puppeteer, { type LaunchOptions, type Page } from "puppeteer-core"
import { temporaryDirectory } from "./Application.ts"
import { serve } from "./Process.ts"

/** A browser of the system, if there is one; else the one that an npm package brings. */
const systemBrowser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path)
)

const quietly = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** The npm package's Chromium; told that it is in a bare function runtime, it brings the shared libraries too. */
const packagedBrowser = async (): Promise<LaunchOptions> => {
  process.env["AWS_LAMBDA_JS_RUNTIME"] ??= "24.x"
  const { default: chromium } = await import("@sparticuz/chromium")
  return {
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, ...quietly],
    headless: "shell"
  }
}

/** A headless Chromium that is closed with the scope. */
export const browser = Effect.acquireRelease(
  Effect.promise(async () =>
    puppeteer.launch(
      systemBrowser === undefined
        ? await packagedBrowser()
        : { executablePath: systemBrowser, args: quietly, headless: true }
    )
  ),
  (running) => Effect.promise(() => running.close())
)

/** A service of its own, and an empty page of a browser. */
export const openService = Effect.gen(function* () {
  const server = yield* serve(yield* temporaryDirectory)
  const running = yield* browser
  return { server, page: yield* Effect.promise(() => running.newPage()) }
})

/** Where the screenshots go that a person looks at; not set in a usual run. */
const screenshots = process.env["SCREENSHOTS"]

const AxeResult = Schema.Struct({
  violations: Schema.Array(Schema.Struct({ id: Schema.String, help: Schema.String }))
})

/** What axe-core finds wrong with a page, in light and dark and on a phone; none of it may be wider than the screen. */
export const inspect = (page: Page, name: string) =>
  Effect.promise(async () => {
    for (const scheme of ["light", "dark"]) {
      for (const width of [1280, 360]) {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }])
        await page.setViewport({ width, height: 900 })
        const scrollWidth: unknown = await page.evaluate("document.documentElement.scrollWidth")
        assert.isAtMost(Number(scrollWidth), width, `${name} ${width}`)
        await page.evaluate(axe.source)
        const found: unknown = await page.evaluate("axe.run()")
        const { violations } = Schema.decodeUnknownSync(AxeResult)(found)
        assert.deepStrictEqual(violations, [], `${name} ${scheme} ${width}`)
        if (screenshots !== undefined) {
          mkdirSync(screenshots, { recursive: true })
          await page.screenshot({ path: `${screenshots}/${name}-${scheme}-${width}.png`, fullPage: true })
        }
      }
    }
    await page.setViewport({ width: 1280, height: 900 })
  })
