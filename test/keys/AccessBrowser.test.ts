import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { temporaryDirectory } from "../support/Application.ts"
import {
  browserObstacle,
  emptyPage,
  inspect,
  openPage,
  SharedService,
  waitForValue,
  retype
} from "../support/Browser.ts"
import { serve, until } from "../support/Process.ts"
import { forecastFrom } from "../support/Requests.ts"
import { linkOf, smtpServer, textOf } from "../support/Smtp.ts"
import { slowly } from "../support/slowly.ts"

describe.skipIf(browserObstacle !== undefined)("requesting access, in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    it.effect("leads by email and link to a key and a forecast, with the keyboard alone and no axe-core findings", () =>
      Effect.gen(function* () {
        const smtp = yield* smtpServer
        const server = yield* serve(yield* temporaryDirectory, { MAIL_URL: smtp.url })
        const { browser } = yield* SharedService
        const page = yield* emptyPage(browser)
        const foreign: Array<string> = []
        const problems: Array<string> = []
        page.on("request", (request) => {
          if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) foreign.push(request.url())
        })
        page.on("pageerror", (error) => problems.push(String(error)))

        // The error is shown next to the field, and the typed text is kept.
        yield* Effect.promise(async () => {
          await page.goto(server.url)
          await page.focus("#name")
          await page.keyboard.type("Ada <Lovelace>")
          await page.keyboard.press("Tab")
          await page.keyboard.type("nobody")
          await page.keyboard.press("Tab")
          await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
        })
        assert.strictEqual(
          yield* textAt(page, "#email-error"),
          "Email address must be an address like ada@example.com."
        )
        assert.strictEqual(yield* textAt(page, "#company-error"), "Company must not be empty.")
        assert.strictEqual(yield* valueAt(page, "#name"), "Ada <Lovelace>")
        // The first invalid field has the focus. All errors are also listed at the top, each with a link to its field.
        assert.match(yield* Effect.promise(() => page.title()), /^Error: /)
        assert.strictEqual(page.url(), `${server.url}/access`)
        yield* focusIs(page, "email")
        yield* Effect.promise(async () => {
          await page.focus(".error-summary li:last-child a")
          await page.keyboard.press("Enter")
        })
        yield* focusIs(page, "company")
        yield* inspect(page, "errors")

        yield* Effect.promise(async () => {
          await retype(page, "email", "Ada@Example.com")
          await page.keyboard.press("Tab")
          await page.keyboard.type("Example Ltd")
          // The hidden field cannot be reached with the keyboard.
          await page.keyboard.press("Tab")
          await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
        })
        assert.strictEqual(yield* textAt(page, "h1"), "Check your inbox")
        yield* inspect(page, "accepted")
        yield* until(() => smtp.messages.length > 0)
        // Reloading does not send it again.
        yield* Effect.promise(() => page.reload())
        assert.strictEqual(page.url(), `${server.url}/access/sent`)
        assert.strictEqual(yield* textAt(page, "h1"), "Check your inbox")
        assert.lengthOf(smtp.messages, 1)
        const text = textOf(smtp.messages[0] ?? "")
        // A stranger may have typed the name.
        assert.notInclude(text, "Lovelace")
        const link = linkOf(smtp.messages[0] ?? "")
        assert.match(link, new RegExp(`^${server.url}/confirm/[\\w-]{43}$`))

        yield* Effect.promise(() => page.goto(link))
        assert.strictEqual(yield* textAt(page, "h1"), "Show my API key")
        yield* inspect(page, "confirm")
        yield* Effect.promise(async () => {
          await page.goto(link)
          await page.focus("main button")
          await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
        })
        const key = yield* textAt(page, "#key")
        assert.match(key, /^ofk_test_\w{38}$/)
        assert.notInclude(page.url(), key)
        yield* Effect.promise(async () => {
          const origin = new URL(server.url).origin
          await browser
            .defaultBrowserContext()
            .overridePermissions(origin, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"])
          await page.click("button[data-copy]")
          await waitForValue(page, "document.querySelector('button[data-copy]').textContent", "Copied")
        })
        const copied: unknown = yield* Effect.promise(() => page.evaluate("navigator.clipboard.readText()"))
        assert.strictEqual(copied, key)
        const stored: unknown = yield* Effect.promise(() =>
          page.evaluate("JSON.stringify([localStorage.length, sessionStorage.length, document.cookie])")
        )
        assert.strictEqual(stored, '[0,0,""]')
        yield* inspect(page, "revealed")

        const forecast = yield* forecastFrom(server.url, key)
        assert.deepInclude(forecast.json["usage"], { requests: 1, credits_remaining: 99 })

        yield* Effect.promise(() => page.goto(link))
        assert.strictEqual(yield* textAt(page, "h1"), "Link gone")
        yield* inspect(page, "gone")

        assert.deepStrictEqual(foreign, [])
        assert.deepStrictEqual(problems, [])
        const token = link.split("/").at(-1) ?? ""
        for (const secret of [key, token]) assert.notInclude(server.stdout() + server.stderr(), secret)
      })
    )

    it.effect(
      "leads from the packs to an order, with the keyboard alone, without JavaScript, and with no axe-core findings",
      () =>
        Effect.gen(function* () {
          const { page, server } = yield* openPage
          yield* Effect.promise(async () => {
            await page.goto(server.url)
            await Promise.all([page.waitForNavigation(), page.click('main a[href="/credits"]')])
          })
          assert.strictEqual(yield* textAt(page, "h1"), "Forecast credits")
          yield* inspect(page, "credits")
          yield* Effect.promise(() => page.goto(`${server.url}/credits?payment=done`))
          yield* inspect(page, "credits-paid")

          yield* Effect.promise(async () => {
            await page.setJavaScriptEnabled(false)
            await page.goto(`${server.url}/credits`)
            // As if the packs had changed since the page was opened.
            await page.evaluate("for (const pack of document.querySelectorAll('[name=pack]')) pack.value = 'gone'")
            await page.focus("input[name=pack]")
            await page.keyboard.press("Tab")
            await page.keyboard.type("Ada")
            await page.keyboard.press("Tab")
            await page.keyboard.type("nobody")
            await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
          })
          assert.strictEqual(yield* textAt(page, "#pack-error"), "The pack must be one of starter, growth, scale.")
          assert.strictEqual(
            yield* textAt(page, "#email-error"),
            "Email address must be an address like ada@example.com."
          )
          assert.strictEqual(page.url(), `${server.url}/credits`)
          yield* focusIs(page, "pack")
          yield* Effect.promise(() => page.setJavaScriptEnabled(true))
          yield* inspect(page, "credits-errors")
          yield* Effect.promise(async () => {
            await page.focus("input[name=pack]")
            await page.keyboard.press("Space")
            await page.keyboard.press("ArrowDown")
            await page.focus("#email")
            await page.keyboard.press("End")
            await page.keyboard.type("@example.com")
            await page.keyboard.press("Tab")
            await page.keyboard.type("Example Ltd")
            await page.keyboard.press("Tab")
            await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
          })
          assert.strictEqual(yield* textAt(page, "h1"), "Your order")
          assert.match(yield* textAt(page, "dd"), /^ord_\w{16}$/)
          assert.include(yield* textAt(page, "main"), "This service is a trial: nothing is charged")
          // The page of the order, which shows the same to anyone with its address.
          assert.match(page.url(), /\/orders\/ord_\w{16}\/[\w-]{43}$/)
          assert.include(yield* textAt(page, "main"), "Waiting for the operator")
          yield* inspect(page, "order")
          // Reloading does not order again.
          const before = yield* textAt(page, "main")
          yield* Effect.promise(() => page.reload())
          assert.strictEqual(yield* textAt(page, "main"), before)
          yield* Effect.promise(() => page.goto(`${page.url()}x`))
          assert.strictEqual(yield* textAt(page, "h1"), "Link unknown")
          yield* inspect(page, "order-unknown")
          yield* Effect.promise(() => page.goto(`${server.url}/nowhere`))
          assert.strictEqual(yield* textAt(page, "h1"), "Page not found")
          yield* inspect(page, "not-found")
        })
    )

    it.effect("requesting access works without JavaScript, and the reference loads nothing from other hosts", () =>
      Effect.gen(function* () {
        const { foreign, page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.setJavaScriptEnabled(false)
          await page.goto(server.url)
          await page.type("#name", "Ada")
          await page.type("#email", "ada@example.com")
          await page.type("#company", "Example")
          await Promise.all([page.waitForNavigation(), page.click("form[action='/access'] button")])
        })
        assert.strictEqual(yield* textAt(page, "h1"), "Check your inbox")

        yield* Effect.promise(async () => {
          await page.setJavaScriptEnabled(true)
          await page.goto(`${server.url}/docs`)
          await waitForValue(page, "document.body.innerText.includes('Forecast a campaign')", true)
        })
        assert.deepStrictEqual(foreign, [])
      })
    )
  })
})

const textAt = (page: Page, selector: string) =>
  Effect.promise(async () =>
    String(await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`))
  )

/** Waits until the element with this id, or else with this class, has the focus. */
const focusIs = (page: Page, name: string) =>
  Effect.promise(() => waitForValue(page, "document.activeElement.id || document.activeElement.className", name))

const valueAt = (page: Page, selector: string) =>
  Effect.promise(async () => String(await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).value`)))
