import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import type { Page } from "puppeteer-core"
import {
  browserObstacle,
  enter,
  focusIs,
  follow,
  inspect,
  pageOf,
  retype,
  textAt,
  valueAt
} from "../../support/Browser.ts"
import { issueKey, serveHere } from "../../support/Http.ts"
import { forecastFrom } from "../../support/Requests.ts"
import { sample } from "../../support/Samples.ts"
import { slowly } from "../../support/slowly.ts"

describe.skipIf(browserObstacle !== undefined)("the page of a key, in a browser", slowly, () => {
  it.live(
    "works from the key to signing out, with the keyboard alone, without JavaScript, and with no axe-core findings",
    () =>
      Effect.gen(function* () {
        const server = yield* serveHere()
        const { secret: key } = yield* Effect.provide(issueKey(60), server.services)
        for (let i = 0; i < 13; i++) assert.strictEqual((yield* forecastFrom(server.url, key)).status, 200)
        const { foreign, page } = yield* pageOf(server)
        const addresses: Array<string> = []
        page.on("request", (request) => addresses.push(request.url()))
        const next = yield* Effect.promise(async () => {
          await page.setJavaScriptEnabled(false)

          await page.goto(`${server.url}/key`)
          await inspect(page, "sign-in")
          await submit(page, "api_key", `${key}x`)
          assert.match(await page.title(), /^Error: /)
          await focusIs(page, "api_key")
          assert.strictEqual(await valueAt(page, "#api_key"), "")
          await inspect(page, "sign-in-error")
          await submit(page, "api_key", key)
          assert.strictEqual(page.url(), `${server.url}/key`)
          assert.strictEqual(await textAt(page, ".amount"), "47")
          // A month may have ended in the meantime.
          const months = [...(await textAt(page, "svg.months", "ariaLabel")).matchAll(/\w{3} \d{4}: (\d+)/g)]
          assert.strictEqual(
            Arr.reduce(months, 0, (sum, [, requests]) => sum + Number(requests)),
            13
          )
          await inspect(page, "key")

          // A sub-key, from the form to its page.
          await page.setJavaScriptEnabled(false)
          await enter(page, 'a[href="/key/sub-keys"]')
          await inspect(page, "sub-key-new")
          await page.type("#name", "Client A\nClient B\nClient C\n")
          await submit(page, "monthly_limit", "200")
          assert.match(await textAt(page, "tr:nth-child(3) .secret"), /^ofk_test_\w{38}$/)
          await inspect(page, "sub-key-secrets")
          await enter(page, 'main a[href="/key#sub-keys"]')
          await enter(page, 'a[href="/key/sub-keys"]')
          await page.type("#name", "CRM")
          await submit(page, "monthly_limit", "")
          assert.match(await textAt(page, "#key"), /^ofk_test_\w{38}$/)
          await inspect(page, "sub-key-secret")
          await enter(page, 'main a[href="/key#sub-keys"]')
          await inspect(page, "key-sub-keys")
          await enter(page, 'a[href^="/key/sub-keys/sub_"]')
          await inspect(page, "sub-key")
          await submit(page, "monthly_limit", "none")
          await focusIs(page, "monthly_limit")
          await inspect(page, "sub-key-error")

          // The browser keeps the session out of reach of scripts, and the key nowhere.
          await page.setJavaScriptEnabled(true)
          const kept: unknown = await page.evaluate(
            "JSON.stringify([localStorage.length, sessionStorage.length, document.cookie])"
          )
          assert.strictEqual(kept, '[0,0,""]')
          assert.notInclude(await page.content(), key)

          // Another site's page cannot act for the signed-in user.
          const form = `<form method="post" action="${server.url}/key/revoke"><button id="go">x</button></form>`
          await page.goto("about:blank")
          await page.setContent(form)
          await follow(page, "#go")
          assert.strictEqual(await textAt(page, "h1"), "This form came from another site")
          await inspect(page, "cross-site")
          const headers = { "x-api-key": key, "content-type": "application/json" }
          const init = { method: "POST", headers, body: JSON.stringify(sample) }
          assert.strictEqual((await fetch(`${server.url}/api/v1/forecast`, init)).status, 200)

          // The numbers of a day are shown with the focus; with JavaScript the arrow keys move to other days.
          await page.setJavaScriptEnabled(true)
          await enter(page, 'main a[href="/key"]')
          const last = await shownDay(page)
          assert.match(last, /: [1-9]\d* forecasts?$/)
          await page.focus('a[href="#buy"]')
          await page.keyboard.press("Tab")
          assert.strictEqual(await textAt(page, ":focus", "ariaLabel"), last)
          await page.keyboard.press("Home")
          const first = await shownDay(page)
          assert.match(first, /: 0 forecasts$/)
          assert.strictEqual(await textAt(page, ":focus", "ariaLabel"), first)
          await page.keyboard.press("Escape")
          assert.strictEqual(await shownDay(page), last)

          await page.setJavaScriptEnabled(false)
          await page.reload()
          // A row of the ledger opens with the keyboard; its references may not make the page wider than a tablet.
          await unfold(page, ".ledger details")
          assert.include(await textAt(page, ".ledger details[open] tbody", "innerHTML"), ">46<")
          await inspect(page, "key-ledger")
          await page.setViewport({ width: 700, height: 900 })
          const tablet: unknown =
            await page.evaluate(`document.querySelector(".ledger td code").textContent = "0".repeat(64),
              document.documentElement.scrollWidth`)
          assert.strictEqual(tablet, 700)
          await page.setViewport({ width: 1280, height: 900 })
          await unfold(page, "#replace")
          await submit(page, "grace_hours", "100")
          await focusIs(page, "grace_hours")
          await inspect(page, "key-error")
          await submit(page, "grace_hours", "1")
          assert.strictEqual(await textAt(page, "h1"), "Your new API key")
          const next = await textAt(page, "#key")
          assert.match(next, /^ofk_test_\w{38}$/)
          await inspect(page, "rotated")
          await enter(page, 'main a[href="/key"]')
          await enter(page, "#pack")
          assert.match(page.url(), /\/orders\/ord_\w{16}\/[\w-]{43}$/)
          await page.goto(`${server.url}/key`)
          await unfold(page, "#revoke")
          await enter(page, 'a[href="/key/revoke"]')
          await inspect(page, "revoke")
          await enter(page, 'main a[href="/key"]')
          await enter(page, "button.quiet")
          assert.strictEqual(page.url(), `${server.url}/key`)
          assert.strictEqual(await textAt(page, "label"), "API key")
          return next
        })
        assert.deepStrictEqual(foreign, [])
        for (const secret of [key, next]) assert.notInclude(addresses.join("\n"), secret)
      })
  )
})

/** The numbers below the chart. */
const shownDay = async (page: Page) =>
  String(
    await page.evaluate(`[...document.querySelectorAll(".days .tip")].flatMap((tip) =>
      getComputedStyle(tip).visibility === "visible" ? [tip.textContent] : []).join()`)
  )

/** Opens a section of the page with the keyboard. */
const unfold = async (page: Page, selector: string) => {
  await page.focus(`${selector} summary`)
  await page.keyboard.press("Enter")
}

/** Replaces the content of a field, and submits its form. */
const submit = async (page: Page, field: string, text: string) => {
  await retype(page, field, text)
  await enter(page)
}
