import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Page } from "puppeteer-core"
import {
  browserObstacle,
  focusIs,
  openPage,
  retype,
  SharedService,
  shows,
  waitForValue
} from "../../support/Browser.ts"
import { slowly } from "../../support/slowly.ts"

const phone = { width: 360, height: 740 }
const desktop = { width: 1280, height: 800 }

const Boxes = Schema.Array(Schema.Struct({ top: Schema.Finite, bottom: Schema.Finite, height: Schema.Finite }))

/** The positions of a selector's elements in the window. */
const boxesOf = async (page: Page, selector: string) => {
  const found: unknown = await page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => element.getBoundingClientRect().toJSON())`
  )
  return Schema.decodeUnknownSync(Boxes)(found)
}

/** The number of elements that are in the window with their full height. */
const inSight = async (page: Page, selector: string, height: number) =>
  (await boxesOf(page, selector)).filter(({ bottom, height: own, top }) => own > 0 && top >= 0 && bottom <= height)
    .length

/**
 * The words outside of folded parts, the stops of the Tab key before the first field, and for each row of cards their
 * number and how much the least full one has of the content of the fullest.
 */
const countParts = `(() => {
  const main = document.querySelector("main")
  const stops = [...main.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]")]
    .filter((element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }))
  return {
    words: main.innerText.trim().split(/\\s+/).length,
    before: stops.findIndex(({ id }) => id === "emails_sent"),
    rows: Object.values(Object.groupBy(document.querySelectorAll(".next > section"), (half) => half.getBoundingClientRect().top))
      .map((halves) => {
        const heights = halves.map(({ children }) => [...children].reduce((sum, child) => sum + child.getBoundingClientRect().height, 0))
        return [halves.length, Math.min(...heights) / Math.max(...heights)]
      })
  }
})()`

const Parts = Schema.Struct({
  words: Schema.Finite,
  before: Schema.Finite,
  rows: Schema.Array(Schema.Tuple([Schema.Finite, Schema.Finite]))
})

/** Presses each preset, and checks that the elements of the selectors do not move. */
const pressPresets = async (page: Page, selectors: ReadonlyArray<string>) => {
  const before = await Promise.all(selectors.map(async (selector) => boxesOf(page, selector)))
  const count = Number(await page.evaluate("document.querySelectorAll('#presets a').length"))
  for (let index = 0; index < count; index++) {
    // One after the other.
    await page.click(`#preset-${index}`)
    await waitForValue(page, `document.querySelector('#preset-${index}').ariaCurrent`, "true")
    const after = await Promise.all(selectors.map(async (selector) => boxesOf(page, selector)))
    assert.deepStrictEqual(after, before, `preset ${index}`)
  }
}

describe.skipIf(browserObstacle !== undefined)("the first screen of the calculator, in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    it.effect("shows a one-line heading, the result, the presets and five inputs on a phone", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.setViewport(phone)
          await page.goto(server.url)
          const [heading] = await boxesOf(page, "h1")
          assert.isBelow(heading?.height ?? 0, 36)
          assert.strictEqual(await inSight(page, "#glance", phone.height), 1)
          const [presets] = await boxesOf(page, "#presets")
          assert.isBelow(presets?.height ?? 0, 50)
          assert.isAbove(Number(await page.evaluate("document.querySelector('#presets').scrollWidth")), phone.width)
          assert.isAtLeast(await inSight(page, "#calculator > .field", phone.height), 5)
          await pressPresets(page, ["h1", "#glance", "#presets", "#calculator > .field"])
        })
      })
    )

    it.effect("shows all inputs, four results and the whole first chart on a desktop", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.setViewport(desktop)
          await page.goto(server.url)
          assert.strictEqual(await inSight(page, "#calculator > .field", desktop.height), 7)
          assert.strictEqual(await inSight(page, ".tile", desktop.height), 4)
          assert.strictEqual(await inSight(page, ".result figure", desktop.height), 1)
          assert.strictEqual(await inSight(page, "#glance", desktop.height), 0)
          await pressPresets(page, ["h1", "#calculator > .field", ".tile", "#distribution"])
        })
      })
    )

    it.effect("takes at most 500 words and 6 stops before the first field, and leaves no half of a row empty", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          for (const size of [phone, desktop]) {
            await page.setViewport(size)
            await page.goto(server.url)
            const counted: unknown = await page.evaluate(countParts)
            const { before, rows, words } = Schema.decodeUnknownSync(Parts)(counted)
            assert.isAtMost(words, 500)
            assert.isAbove(words, 300)
            assert.isAtLeast(before, 1)
            assert.isAtMost(before, 6)
            assert.deepStrictEqual(
              rows.map(([cards]) => cards),
              size === desktop ? [2, 2] : [1, 1, 1, 1]
            )
            for (const [, ratio] of rows) assert.isAtLeast(ratio, 0.8)
          }
          // The presets are one stop, and the arrow keys move between them.
          await page.focus("#preset-0")
          await page.keyboard.press("ArrowRight")
          await focusIs(page, "preset-1")
          await page.keyboard.press("Tab")
          assert.strictEqual(await page.evaluate("document.activeElement.id"), "emails_sent")
        })
      })
    )

    it.effect("fills the cost with the sum of its parts", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(server.url)
          await page.click("#cost-parts summary")
          await retype(page, "cost-hours", "30")
          await retype(page, "cost-rate", "50")
          await retype(page, "cost-tools", "300")
          await waitForValue(page, "document.querySelector('#campaign_cost').value", "1,800")
          await shows(page, "#code-curl", '"campaign_cost": 1800')
          await retype(page, "cost-data", "some")
          await shows(page, "#cost-error", "Data must be a number")
          await page.click("#preset-1")
          await waitForValue(page, "document.querySelector('#cost-hours').value", "")
        })
      })
    )

    it.effect("keeps the result visible on a phone while inputs are changed, without covering the focused one", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.setViewport(phone)
          await page.goto(server.url)
          await page.evaluate(
            "document.querySelectorAll('#calculator details').forEach((each) => { each.open = true })"
          )
          await page.focus("#preset-5")
          let isInForm = false
          for (const shift of [false, true]) {
            do {
              if (shift) await page.keyboard.down("Shift")
              await page.keyboard.press("Tab")
              if (shift) await page.keyboard.up("Shift")
              isInForm = (await page.evaluate("document.activeElement.closest('#calculator') !== null")) === true
              const [[glance], [focused]] = await Promise.all([boxesOf(page, "#glance"), boxesOf(page, ":focus")])
              if (isInForm) assert.isAtLeast(focused?.top ?? 0, glance?.bottom ?? 0)
            } while (isInForm)
          }
          await page.evaluate("scrollTo(0, 400)")
          await page.focus("#campaign_cost")
          await page.keyboard.press("End")
          await page.keyboard.type("0000")
          await waitForValue(page, "document.querySelector('#glance b').textContent.startsWith('83')", false)
          assert.strictEqual((await boxesOf(page, "#glance"))[0]?.top, 0)
        })
      })
    )
  })
})
