import { mkdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import puppeteer, { type Browser, type Page } from "puppeteer-core"
import { inject } from "vitest"
import { temporaryDirectory } from "./Application.ts"
import { serve, type Serving } from "./Process.ts"

const found = inject("browser")

/** The reason why there is no browser on this machine; undefined if there is one. */
export const browserObstacle = typeof found === "string" ? found : undefined

const quietly = [
  "--no-sandbox",
  "--disable-gpu",
  // A container's shared memory is too small for some pages.
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A page lives so briefly that optimizing its scripts, and threads for that, cost more than they save.
  "--js-flags=--no-opt,--single-threaded"
]

/** A headless Chromium that is closed with the scope. */
export const browser = Effect.acquireRelease(
  Effect.promise(async () => {
    if (typeof found === "string") throw new Error(found)
    return puppeteer.launch({
      ...found,
      args: quietly,
      timeout: 0,
      protocolTimeout: 0,
      env: { ...process.env, ...found.env }
    })
  }),
  (running) => Effect.promise(() => running.close())
)

/** An empty page, whose waits are limited only by the timeout of the test. */
export const emptyPage = (running: Browser) =>
  Effect.promise(async () => {
    const page = await running.newPage()
    page.setDefaultTimeout(0)
    return page
  })

/** A service and a browser that the tests of a file share; each opens a new page. */
export class SharedService extends Context.Service<
  SharedService,
  { readonly server: Serving; readonly browser: Browser }
>()("test/SharedService") {
  static readonly layer = Layer.effect(
    SharedService,
    Effect.gen(function* () {
      return SharedService.of({ server: yield* serve(yield* temporaryDirectory), browser: yield* browser })
    })
  )
}

/** The shared service, an empty page, and the addresses on other hosts that the page requests. */
export const openPage = Effect.gen(function* () {
  const { browser, server } = yield* SharedService
  const page = yield* Effect.acquireRelease(emptyPage(browser), (page) => Effect.promise(() => page.close()))
  const foreign: Array<string> = []
  page.on("request", (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(server.url)) foreign.push(request.url())
  })
  return { page, server, foreign }
})

/** Waits until an expression has a value in a page, even if scripts are disabled there. */
export const waitForValue = async (page: Page, expression: string, value: unknown): Promise<void> => {
  const deadline = performance.now() + 300_000
  let found: unknown
  do {
    // One after another. oxlint-disable-next-line no-await-in-loop
    found = await page.evaluate(expression)
    if (found === value) return
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, 20))
  } while (performance.now() < deadline)
  assert.strictEqual(found, value, expression)
}

/** Waits until the address of a page contains a text. Puppeteer's own `url()` follows it with a delay. */
export const addressContains = (page: Page, text: string): Promise<void> =>
  waitForValue(page, `location.href.includes(${JSON.stringify(text)})`, true)

/** Selects the content of a field with the keyboard. */
export const selectAll = async (page: Page, field: string): Promise<void> => {
  await page.focus(`#${field}`)
  await page.keyboard.down("Control")
  await page.keyboard.press("a")
  await page.keyboard.up("Control")
}

/** Replaces the content of a field with the keyboard. */
export const retype = async (page: Page, field: string, text: string): Promise<void> => {
  await selectAll(page, field)
  await page.keyboard.type(text)
}

/** The folder for screenshots that a person reviews; usually not set. */
const screenshots = process.env["SCREENSHOTS"]

/** axe-core, which each page receives anew: minified, less than half as long. */
const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")

const AxeResult = Schema.Struct({
  violations: Schema.Array(Schema.Struct({ id: Schema.String, help: Schema.String }))
})

/** Each scheme and each width once, or all combinations if screenshots are reviewed. */
const views = [
  { scheme: "light", width: 1280 },
  { scheme: "dark", width: 360 },
  ...(screenshots === undefined
    ? []
    : [
        { scheme: "light", width: 360 },
        { scheme: "dark", width: 1280 }
      ])
]

/**
 * The findings of axe-core on a page, in light and dark and on a phone, or only in one scheme; nothing may be
 * wider than the screen.
 */
export const inspect = (page: Page, name: string, only?: "light" | "dark") =>
  Effect.promise(async () => {
    await page.evaluate(axe)
    for (const { scheme, width } of views) {
      if (only !== undefined && scheme !== only && screenshots === undefined) continue
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }])
      await page.setViewport({ width, height: 900 })
      const scrollWidth: unknown = await page.evaluate("document.documentElement.scrollWidth")
      assert.isAtMost(Number(scrollWidth), width, `${name} ${width}`)
      const found: unknown = await page.evaluate("axe.run({ resultTypes: ['violations'], selectors: false })")
      const { violations } = Schema.decodeUnknownSync(AxeResult)(found)
      assert.deepStrictEqual(violations, [], `${name} ${scheme} ${width}`)
      if (screenshots !== undefined) {
        mkdirSync(screenshots, { recursive: true })
        await page.screenshot({ path: `${screenshots}/${name}-${scheme}-${width}.png`, fullPage: true })
      }
    }
    await page.setViewport({ width: 1280, height: 900 })
  })
