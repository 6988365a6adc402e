import { mkdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import puppeteer, { type Page } from "puppeteer-core"
import { inject } from "vitest"
import { serveHere } from "./Http.ts"
import { once } from "./once.ts"

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
  // A page lives so briefly that threads for compiling its scripts cost more than they save.
  "--js-flags=--single-threaded"
]

/** The headless Chromium of a worker, for all its files. It ends with the worker. */
const chromium = once(
  Effect.promise(async () => {
    if (typeof found === "string") throw new Error(found)
    return puppeteer.launch({
      ...found,
      args: quietly,
      timeout: 0,
      protocolTimeout: 0,
      env: { ...process.env, ...found.env }
    })
  })
)

/** An empty page with cookies, storage and cache of its own, whose waits are limited only by the timeout of the test. */
export const emptyPage = Effect.acquireRelease(
  Effect.flatMap(chromium, (running) =>
    Effect.promise(async () => {
      const context = await running.createBrowserContext()
      const page = await context.newPage()
      page.setDefaultTimeout(0)
      return page
    })
  ),
  (page) => Effect.promise(() => page.browserContext().close())
)

/** An empty page for a service, the addresses on other hosts that it requests, and the problems that it has or prints. */
export const pageOf = (server: { readonly url: string }) =>
  Effect.map(emptyPage, (page) => {
    const foreign: Array<string> = []
    const problems: Array<string> = []
    page.on("request", (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(server.url)) foreign.push(request.url())
    })
    page.on("pageerror", (error) => problems.push(String(error)))
    page.on("console", (message) => problems.push(message.text()))
    return { page, server, foreign, problems }
  })

/** A service with a demo key, which the tests of a file share. */
export class SharedService extends Context.Service<SharedService, { readonly url: string }>()("test/SharedService") {
  static readonly layer = Layer.effect(SharedService, serveHere({ CALCULATION_MILLIS_PER_MINUTE: "60000" }))
}

/** `pageOf` the shared service. */
export const openPage = Effect.flatMap(SharedService, pageOf)

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

/** The element of a selector, as an expression. */
const elementOf = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`

/** Waits until an element contains a text, which needs scripts in the page. */
export const shows = (page: Page, selector: string, text: string) =>
  page.waitForFunction(`${elementOf(selector)}?.textContent.includes(${JSON.stringify(text)})`)

/** The text of an element, or another of its properties. */
export const textAt = async (page: Page, selector: string, property = "textContent") =>
  String(await page.evaluate(`${elementOf(selector)}.${property}`)).trim()

/** The text in a field. */
export const valueAt = (page: Page, selector: string) => textAt(page, selector, "value")

/** Clicks a link or a button, and waits for the page that it leads to. */
export const follow = (page: Page, selector: string) => Promise.all([page.waitForNavigation(), page.click(selector)])

/** Presses Enter where the focus is, or first moved to, and waits for the page that this leads to. */
export const enter = async (page: Page, selector?: string) => {
  if (selector !== undefined) await page.focus(selector)
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
}

/** Waits until the element with this ID has the focus, which autofocus gives shortly after a page is loaded. */
export const focusIs = (page: Page, id: string) => waitForValue(page, "document.activeElement.id", id)

/** Lets the pages of a service use the clipboard. */
export const allowClipboard = (page: Page, url: string) =>
  page
    .browserContext()
    .overridePermissions(new URL(url).origin, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"])

/** The text in the clipboard. */
export const clipboardOf = async (page: Page) => String(await page.evaluate("navigator.clipboard.readText()"))

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

const views = [
  { scheme: "light", width: 1280 },
  { scheme: "dark", width: 360 },
  { scheme: "light", width: 360 },
  { scheme: "dark", width: 1280 }
]

/** The number of times that each page was inspected. */
const inspections = new WeakMap<Page, number>()

/** The views to inspect: each scheme and width once, then one in turn, because a page's states share their styles. */
const viewsOf = (page: Page) => {
  if (screenshots !== undefined) return views
  const count = inspections.get(page) ?? 0
  inspections.set(page, count + 1)
  return count === 0 ? views.slice(0, 2) : views.slice(count % 2, (count % 2) + 1)
}

/** The rules whose findings differ between views of the same page; the others are run in one view. */
const rulesOfViews = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]

/**
 * Runs axe-core with options. Contrast takes most of its time, and is the same for texts of the same look: it is
 * measured for three of each, in case that one of them is not measurable where it is.
 */
const runAxe = `async (options) => {
  const grounds = new Map([[null, ""]])
  const groundOf = (element) => {
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
      const own = [backgroundColor, backgroundImage, opacity].join()
      const parent = groundOf(element.parentElement)
      grounds.set(element, own === "rgba(0, 0, 0, 0),none,1" ? parent : parent + own)
    }
    return grounds.get(element)
  }
  const counts = new Map()
  const hasText = (element) => [...element.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== "")
  for (const element of document.querySelectorAll("body, body *")) {
    if (!element.matches("input, select, textarea") && !hasText(element)) continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const { color, fill, fontSize, fontWeight, textDecoration, textShadow } = getComputedStyle(element)
    const isDisabled = element.closest(":disabled, [aria-disabled=true], [inert]") !== null
    const around = getComputedStyle(element.parentElement).color
    const look = [color, fill, fontSize, fontWeight, textDecoration, textShadow, isDisabled, around, groundOf(element)].join()
    const count = counts.get(look) ?? 0
    counts.set(look, count + 1)
    if (count < 3) element.dataset.axe = ""
  }
  axe.configure({
    rules: [
      { id: "color-contrast", selector: "[data-axe]" },
      { id: "link-in-text-block", selector: "a[href][data-axe]" }
    ]
  })
  try {
    return await axe.run(options)
  } finally {
    for (const element of document.querySelectorAll("[data-axe]")) delete element.dataset.axe
  }
}`

/** Fails if axe-core finds anything on a page, in light or dark, or if it is wider than the screen. */
export const inspect = async (page: Page, name: string) => {
  const hasScripts = page.isJavaScriptEnabled()
  await page.setJavaScriptEnabled(true)
  // A field behind a bar that sticks to the screen would count as a small target.
  await page.evaluate("scrollTo(0, 0)")
  await page.evaluate(`if (typeof axe === "undefined") { ${axe} }`)
  const chosen = viewsOf(page)
  let isFirst = true
  for (const width of [360, 1280]) {
    await page.setViewport({ width, height: 900 })
    const scrollWidth: unknown = await page.evaluate("document.documentElement.scrollWidth")
    assert.isAtMost(Number(scrollWidth), width, `${name} ${width}`)
    for (const { scheme } of chosen.filter((view) => view.width === width)) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }])
      const rules = isFirst ? { rules: { "target-size": { enabled: true } } } : { runOnly: rulesOfViews }
      isFirst = false
      const options = { resultTypes: ["violations"], selectors: false, preload: false, ...rules }
      const found: unknown = await page.evaluate(`(${runAxe})(${JSON.stringify(options)})`)
      const { violations } = Schema.decodeUnknownSync(AxeResult)(found)
      assert.deepStrictEqual(violations, [], `${name} ${scheme} ${width}`)
      if (screenshots !== undefined) {
        mkdirSync(screenshots, { recursive: true })
        await page.screenshot({ path: `${screenshots}/${name}-${scheme}-${width}.png`, fullPage: true })
      }
    }
  }
  await page.setJavaScriptEnabled(hasScripts)
}
