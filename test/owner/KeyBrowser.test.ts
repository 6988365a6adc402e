import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import type { Page } from "puppeteer-core"
import { temporaryDirectory } from "../support/Application.ts"
import { waitForValue, browser, browserObstacle, emptyPage, inspect } from "../support/Browser.ts"
import { runHere } from "../support/CommandLine.ts"
import { serve } from "../support/Process.ts"
import { sample } from "../support/Samples.ts"
import { slowly } from "../support/slowly.ts"

describe.skipIf(browserObstacle !== undefined)("the page of a key, in a browser", slowly, () => {
  it.live(
    "works from the key to signing out, with the keyboard alone, without JavaScript, and with no axe-core findings",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const server = yield* serve(directory)
        const owner = ["--name", "Ada", "--email", "ada@example.com", "--company", "Example"]
        const issued = yield* runHere(directory, ["keys", "issue", ...owner, "--credits", "60"])
        const key = /ofk_test_\w{38}/.exec(issued.stdout)?.[0] ?? assert.fail(issued.stderr)
        const works = Effect.promise(async () => {
          const headers = { "x-api-key": key, "content-type": "application/json" }
          return (
            await fetch(`${server.url}/api/v1/forecast`, { method: "POST", headers, body: JSON.stringify(sample) })
          ).ok
        })
        for (let i = 0; i < 13; i++) assert.isTrue(yield* works)
        const page = yield* Effect.flatMap(browser, emptyPage)
        const foreign: Array<string> = []
        const addresses: Array<string> = []
        page.on("request", (request) => {
          addresses.push(request.url())
          if (!request.url().startsWith(server.url)) foreign.push(request.url())
        })
        const look = Effect.fnUntraced(function* (name: string) {
          yield* Effect.promise(() => page.setJavaScriptEnabled(true))
          yield* inspect(page, name)
          yield* Effect.promise(() => page.setJavaScriptEnabled(false))
        })
        yield* Effect.promise(() => page.setJavaScriptEnabled(false))

        yield* Effect.promise(() => page.goto(`${server.url}/key`))
        yield* look("sign-in")
        yield* press(page, "#api_key", `${key}x`)
        assert.match(yield* Effect.promise(() => page.title()), /^Error: /)
        yield* focusOn(page, "api_key")
        assert.strictEqual(yield* at(page, "#api_key", "value"), "")
        yield* look("sign-in-error")
        yield* press(page, "#api_key", key)
        assert.strictEqual(page.url(), `${server.url}/key`)
        assert.strictEqual(yield* at(page, ".amount"), "47")
        // A month may have ended in the meantime.
        const months = [...(yield* at(page, "svg.months", "ariaLabel")).matchAll(/\w{3} \d{4}: (\d+)/g)]
        assert.strictEqual(
          Arr.reduce(months, 0, (sum, [, requests]) => sum + Number(requests)),
          13
        )
        yield* look("key")

        // A sub-key, from the form to its page.
        yield* Effect.promise(() => page.setJavaScriptEnabled(false))
        yield* follow(page, 'a[href="/key/sub-keys"]')
        yield* look("sub-key-new")
        yield* press(page, "#name", "CRM")
        assert.match(yield* at(page, "#key"), /^ofk_test_\w{38}$/)
        yield* look("sub-key-secret")
        yield* follow(page, 'main a[href="/key#sub-keys"]')
        yield* look("key-sub-keys")
        yield* follow(page, 'a[href^="/key/sub-keys/sub_"]')
        yield* look("sub-key")
        yield* press(page, "#monthly_limit", "none")
        yield* focusOn(page, "monthly_limit")
        yield* look("sub-key-error")

        // The browser keeps the session out of reach of scripts, and the key nowhere.
        yield* Effect.promise(() => page.setJavaScriptEnabled(true))
        const kept: unknown = yield* Effect.promise(() =>
          page.evaluate("JSON.stringify([localStorage.length, sessionStorage.length, document.cookie])")
        )
        assert.strictEqual(kept, '[0,0,""]')
        assert.notInclude(yield* Effect.promise(() => page.content()), key)

        // Another site's page cannot act for the signed-in user.
        const form = `<form method="post" action="${server.url}/key/revoke"><button id="go">x</button></form>`
        yield* Effect.promise(async () => {
          await page.goto("about:blank")
          await page.setContent(form)
          await Promise.all([page.waitForNavigation(), page.click("#go")])
        })
        assert.strictEqual(yield* at(page, "h1"), "This form came from another site")
        yield* look("cross-site")
        assert.isTrue(yield* works)

        // The numbers of a day are shown with the focus; with JavaScript the arrow keys move to other days.
        yield* Effect.promise(() => page.setJavaScriptEnabled(true))
        yield* follow(page, 'main a[href="/key"]')
        const last = yield* shownDay(page)
        assert.match(last, /: [1-9]\d* forecasts?$/)
        yield* Effect.promise(() => page.focus('a[href="#buy"]'))
        yield* Effect.promise(() => page.keyboard.press("Tab"))
        assert.strictEqual(yield* at(page, ":focus", "ariaLabel"), last)
        yield* Effect.promise(() => page.keyboard.press("Home"))
        const first = yield* shownDay(page)
        assert.match(first, /: 0 forecasts$/)
        assert.strictEqual(yield* at(page, ":focus", "ariaLabel"), first)
        yield* Effect.promise(() => page.keyboard.press("Escape"))
        assert.strictEqual(yield* shownDay(page), last)

        yield* Effect.promise(() => page.setJavaScriptEnabled(false))
        yield* Effect.promise(() => page.reload())
        // A row of the ledger opens with the keyboard; its references may not make the page wider than a tablet.
        yield* unfold(page, ".ledger details")
        assert.include(yield* at(page, ".ledger details[open] tbody", "innerHTML"), ">46<")
        yield* look("key-ledger")
        const tablet: unknown = yield* Effect.promise(async () => {
          await page.setViewport({ width: 700, height: 900 })
          return page.evaluate(`document.querySelector(".ledger td code").textContent = "0".repeat(64),
            document.documentElement.scrollWidth`)
        })
        assert.strictEqual(tablet, 700)
        yield* Effect.promise(() => page.setViewport({ width: 1280, height: 900 }))
        yield* unfold(page, "#replace")
        yield* press(page, "#grace_hours", "100")
        yield* focusOn(page, "grace_hours")
        yield* look("key-error")
        yield* press(page, "#grace_hours", "1")
        assert.strictEqual(yield* at(page, "h1"), "Your new API key")
        const next = yield* at(page, "#key")
        assert.match(next, /^ofk_test_\w{38}$/)
        yield* look("rotated")
        yield* follow(page, 'main a[href="/key"]')
        yield* press(page, "#pack")
        assert.match(page.url(), /\/orders\/ord_\w{16}\/[\w-]{43}$/)
        yield* Effect.promise(() => page.goto(`${server.url}/key`))
        yield* unfold(page, "#revoke")
        yield* follow(page, 'a[href="/key/revoke"]')
        yield* look("revoke")
        yield* follow(page, 'main a[href="/key"]')
        yield* follow(page, "button.quiet")
        assert.strictEqual(page.url(), `${server.url}/key`)
        assert.strictEqual(yield* at(page, "label"), "API key")

        assert.deepStrictEqual(foreign, [])
        for (const secret of [key, next]) {
          assert.notInclude(addresses.join("\n"), secret)
          assert.notInclude(server.stdout() + server.stderr(), secret)
        }
      })
  )
})

/** The numbers below the chart. */
const shownDay = (page: Page) =>
  Effect.promise(async () =>
    String(
      await page.evaluate(`[...document.querySelectorAll(".days .tip")].flatMap((tip) =>
        getComputedStyle(tip).visibility === "visible" ? [tip.textContent] : []).join()`)
    )
  )

/** Opens a section of the page with the keyboard. */
const unfold = (page: Page, selector: string) =>
  Effect.promise(async () => {
    await page.focus(`${selector} summary`)
    await page.keyboard.press("Enter")
  })

/** Follows a link or presses a button with the keyboard. */
const follow = (page: Page, selector: string) =>
  Effect.promise(async () => {
    await page.focus(selector)
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
  })

/** Replaces the content of a field, and submits its form. */
const press = (page: Page, selector: string, text = "") =>
  Effect.promise(async () => {
    await page.focus(selector)
    if (text !== "") {
      await page.keyboard.down("Control")
      await page.keyboard.press("a")
      await page.keyboard.up("Control")
      await page.keyboard.type(text)
    }
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
  })

const at = (page: Page, selector: string, property = "textContent") =>
  Effect.promise(async () =>
    String(await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).${property}`))
  )

/** Waits for autofocus, which the browser applies shortly after loading the page. */
const focusOn = (page: Page, id: string) => Effect.promise(() => waitForValue(page, "document.activeElement.id", id))
