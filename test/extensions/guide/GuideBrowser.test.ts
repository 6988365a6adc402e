import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { guideNames } from "../../../src/extensions/guide/Guide.ts"
import {
  allowClipboard,
  browserObstacle,
  enter,
  inspect,
  openPage,
  SharedService,
  shows
} from "../../support/Browser.ts"
import { slowly } from "../../support/slowly.ts"

describe.skipIf(browserObstacle !== undefined)("the guide, in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    it.effect("is readable on a phone and in the dark scheme, with no axe-core findings", () =>
      Effect.gen(function* () {
        const { foreign, page, server } = yield* openPage
        for (const path of ["privacy", ...guideNames.map((name) => `docs/${name}`)]) {
          yield* Effect.promise(async () => {
            await page.goto(`${server.url}/${path}`)
            await inspect(page, path.replace("docs/", "guide-"))
          })
        }
        assert.deepStrictEqual(foreign, [])
      })
    )

    it.effect("shows the examples in the language chosen last, and copies them", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const seen: unknown = yield* Effect.promise(async () => {
          await page.goto(`${server.url}/docs/credits`)
          await page.focus("[role=tab]")
          await page.keyboard.press("ArrowRight")
          await page.goto(`${server.url}/docs/errors`)
          await allowClipboard(page, server.url)
          await page.click(".example:not([hidden]) .copy")
          await shows(page, ".example:not([hidden]) .copy", "Copied")
          return page.evaluate(`({
              selected: document.querySelector("[role=tab][aria-selected=true]").textContent,
              shown: [...document.querySelectorAll(".example:not([hidden])")].map((example) => example.ariaLabel)
            })`)
        })
        assert.deepStrictEqual(seen, { selected: "Python", shown: ["Python"] })
        const widths: unknown = yield* Effect.promise(async () => {
          await page.setViewport({ width: 360, height: 900 })
          await page.goto(`${server.url}/docs/first-call`)
          return page.evaluate(`[...document.querySelectorAll("table, .code:not(.output) pre")].filter(
              (element) => element.scrollWidth > element.clientWidth).map((element) => element.textContent)`)
        })
        assert.deepStrictEqual(widths, [])
      })
    )

    it.effect(
      "works with the keyboard alone, without JavaScript, and starts with a link that skips the navigation",
      () =>
        Effect.gen(function* () {
          const { page, server } = yield* openPage
          yield* Effect.promise(async () => {
            await page.setViewport({ width: 1280, height: 900 })
            await page.setJavaScriptEnabled(false)
            await page.goto(`${server.url}/docs/${guideNames[0]}`)
            await page.keyboard.press("Tab")
            await page.keyboard.press("Enter")
            // The list of pages starts with the one that is shown.
            for (let i = 0; i < 2; i++) await page.keyboard.press("Tab")
            await enter(page)
          })
          assert.strictEqual(page.url(), `${server.url}/docs/${guideNames[1]}`)
        })
    )

    it.effect("is searched with the keyboard, announces the number of results, and then needs no network", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const seen = yield* Effect.promise(async () => {
          await page.goto(`${server.url}/docs/rates`)
          await page.type("#guide-search", "429")
          await page.waitForFunction("/result/.test(document.querySelector('#guide-found').textContent)")
          const status = await page.evaluate("document.querySelector('#guide-found').textContent")
          await page.setOfflineMode(true)
          await page.keyboard.press("Escape")
          await page.type("#guide-search", "zzz")
          await page.waitForFunction("/Nothing has/.test(document.querySelector('#guide-found').textContent)")
          await page.keyboard.press("Escape")
          await page.type("#guide-search", "usage exhausted")
          await page.waitForFunction("document.querySelector('.guide-search li') !== null")
          await page.keyboard.press("ArrowDown")
          await page.setOfflineMode(false)
          await enter(page)
          return status
        })
        assert.match(String(seen), /^\d+ results$/)
        assert.strictEqual(page.url(), `${server.url}/docs/errors#usage_exhausted`)
      })
    )

    it.effect("copies a page as Markdown, and links to it", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const copied = yield* Effect.promise(async () => {
          await page.goto(`${server.url}/docs/idempotency`)
          await allowClipboard(page, server.url)
          await page.click("[data-markdown]")
          await shows(page, "[data-markdown]", "Copied")
          return page.evaluate(
            "(async () => [await navigator.clipboard.readText(), await (await fetch(document.querySelector('.page-tools a').href)).text()])()"
          )
        })
        const [text, source] = Array.isArray(copied) ? copied.map(String) : []
        assert.match(text ?? "", /^# /)
        assert.strictEqual(text, source)
      })
    )

    it.effect("shows the section that a problem's type links to", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const top = yield* Effect.promise(async () => {
          await page.goto(`${server.url}/docs/errors#not_found`)
          return page.evaluate("document.querySelector(':target').getBoundingClientRect().top")
        })
        assert.isBelow(Number(top), 200)
      })
    )
  })
})
