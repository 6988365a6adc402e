import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../support/Application.ts"
import {
  allowClipboard,
  browserObstacle,
  clipboardOf,
  enter,
  focusIs,
  follow,
  inspect,
  openPage,
  pageOf,
  retype,
  SharedService,
  shows,
  textAt,
  valueAt,
  waitForValue
} from "../support/Browser.ts"
import { serveWithMails } from "../support/Http.ts"
import { until } from "../support/Process.ts"
import { forecastFrom } from "../support/Requests.ts"
import { linkOf, smtpServer, textOf } from "../support/Smtp.ts"
import { slowly } from "../support/slowly.ts"

describe.skipIf(browserObstacle !== undefined)("requesting access, in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    it.effect("leads by email and link to a key and a forecast, with the keyboard alone and no axe-core findings", () =>
      Effect.gen(function* () {
        const smtp = yield* smtpServer
        const server = yield* serveWithMails(`sqlite:${yield* temporaryDirectory}/test.db`, smtp.url)
        const { foreign, page, problems } = yield* pageOf(server)

        yield* Effect.promise(async () => {
          // The error is shown next to the field, and the typed text is kept.
          await page.goto(server.url)
          await page.focus("#name")
          await page.keyboard.type("Ada <Lovelace>")
          await page.keyboard.press("Tab")
          await page.keyboard.type("nobody")
          await page.keyboard.press("Tab")
          await enter(page)
          assert.strictEqual(
            await textAt(page, "#email-error"),
            "Email address must be an address like ada@example.com."
          )
          assert.strictEqual(await textAt(page, "#company-error"), "Company must not be empty.")
          assert.strictEqual(await valueAt(page, "#name"), "Ada <Lovelace>")
          // The first invalid field has the focus. All errors are also listed at the top, each with a link to its field.
          assert.match(await page.title(), /^Error: /)
          assert.strictEqual(page.url(), `${server.url}/access`)
          await focusIs(page, "email")
          await page.focus(".error-summary li:last-child a")
          await page.keyboard.press("Enter")
          await focusIs(page, "company")
          await inspect(page, "errors")

          await retype(page, "email", "Ada@Example.com")
          await page.keyboard.press("Tab")
          await page.keyboard.type("Example Ltd")
          // The hidden field cannot be reached with the keyboard.
          await page.keyboard.press("Tab")
          await enter(page)
          assert.strictEqual(await textAt(page, "h1"), "Check your inbox")
          await inspect(page, "accepted")
        })
        yield* until(() => smtp.messages.length > 0)
        yield* Effect.promise(async () => {
          // Reloading does not send it again.
          await page.reload()
          assert.strictEqual(page.url(), `${server.url}/access/sent`)
          assert.strictEqual(await textAt(page, "h1"), "Check your inbox")
        })
        assert.lengthOf(smtp.messages, 1)
        const text = textOf(smtp.messages[0] ?? "")
        // A stranger may have typed the name.
        assert.notInclude(text, "Lovelace")
        const link = linkOf(smtp.messages[0] ?? "")
        assert.match(link, new RegExp(`^${server.url}/confirm/[\\w-]{43}$`))

        const key = yield* Effect.promise(async () => {
          await page.goto(link)
          assert.strictEqual(await textAt(page, "h1"), "Show my API key")
          await inspect(page, "confirm")
          await page.goto(link)
          await page.focus("main button")
          await enter(page)
          const key = await textAt(page, "#key")
          assert.match(key, /^ofk_test_\w{38}$/)
          assert.notInclude(page.url(), key)
          await allowClipboard(page, server.url)
          await page.click("button[data-copy]")
          await shows(page, "button[data-copy]", "Copied")
          assert.strictEqual(await clipboardOf(page), key)
          const stored: unknown = await page.evaluate(
            "JSON.stringify([localStorage.length, sessionStorage.length, document.cookie])"
          )
          assert.strictEqual(stored, '[0,0,""]')
          await inspect(page, "revealed")
          // One button opens the page of the key.
          await enter(page, 'form[action="/key"] button')
          assert.strictEqual(page.url(), `${server.url}/key`)
          assert.strictEqual(await textAt(page, ".amount"), "100")
          return key
        })
        const forecast = yield* forecastFrom(server.url, key)
        assert.deepInclude(forecast.json["usage"], { requests: 1, credits_remaining: 99 })

        yield* Effect.promise(async () => {
          await page.goto(link)
          assert.strictEqual(await textAt(page, "h1"), "Link gone")
          await inspect(page, "gone")
        })
        assert.deepStrictEqual(foreign, [])
        // The browser reports the statuses of the two pages with errors, too.
        assert.deepStrictEqual(
          problems.filter((problem) => !problem.startsWith("Failed to load resource")),
          []
        )
      })
    )

    it.effect(
      "leads from the packs to an order, with the keyboard alone, without JavaScript, and with no axe-core findings",
      () =>
        Effect.gen(function* () {
          const { page, server } = yield* openPage
          yield* Effect.promise(async () => {
            await page.goto(server.url)
            await follow(page, 'main a[href="/credits"]')
            assert.strictEqual(await textAt(page, "h1"), "Forecast credits")
            await inspect(page, "credits")
            await page.goto(`${server.url}/credits?payment=done`)
            await inspect(page, "credits-paid")

            await page.setJavaScriptEnabled(false)
            await page.goto(`${server.url}/credits`)
            // As if the packs had changed since the page was opened.
            await page.evaluate("for (const pack of document.querySelectorAll('[name=pack]')) pack.value = 'gone'")
            await page.focus("input[name=pack]")
            await page.keyboard.press("Tab")
            await page.keyboard.type("Ada")
            await page.keyboard.press("Tab")
            await page.keyboard.type("nobody")
            await enter(page)
            assert.strictEqual(await textAt(page, "#pack-error"), "The pack must be one of starter, growth, scale.")
            assert.strictEqual(
              await textAt(page, "#email-error"),
              "Email address must be an address like ada@example.com."
            )
            assert.strictEqual(page.url(), `${server.url}/credits`)
            await focusIs(page, "pack")
            await page.setJavaScriptEnabled(true)
            await inspect(page, "credits-errors")
            await page.focus("input[name=pack]")
            await page.keyboard.press("Space")
            await page.keyboard.press("ArrowDown")
            await page.focus("#email")
            await page.keyboard.press("End")
            await page.keyboard.type("@example.com")
            await page.keyboard.press("Tab")
            await page.keyboard.type("Example Ltd")
            await page.keyboard.press("Tab")
            await enter(page)
            assert.strictEqual(await textAt(page, "h1"), "Your order")
            assert.match(await textAt(page, "dd"), /^ord_\w{16}$/)
            assert.include(await textAt(page, "main"), "This service is a trial: nothing is charged")
            // The page of the order, which shows the same to anyone with its address.
            assert.match(page.url(), /\/orders\/ord_\w{16}\/[\w-]{43}$/)
            assert.include(await textAt(page, "main"), "Waiting for the operator")
            await inspect(page, "order")
            // Reloading does not order again.
            const before = await textAt(page, "main")
            await page.reload()
            assert.strictEqual(await textAt(page, "main"), before)
            await page.goto(`${page.url()}x`)
            assert.strictEqual(await textAt(page, "h1"), "Link unknown")
            await inspect(page, "order-unknown")
            await page.goto(`${server.url}/nowhere`)
            assert.strictEqual(await textAt(page, "h1"), "Page not found")
            await inspect(page, "not-found")
          })
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
          await follow(page, "form[action='/access'] button")
          assert.strictEqual(await textAt(page, "h1"), "Check your inbox")

          await page.setJavaScriptEnabled(true)
          await page.goto(`${server.url}/docs`)
          await waitForValue(page, "document.body.innerText.includes('Forecast a campaign')", true)
        })
        assert.deepStrictEqual(foreign, [])
      })
    )
  })
})
