import { existsSync, readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { Credits } from "../../src/credits/Credits.ts"
import { applicationOn, temporaryDirectory } from "../support/Application.ts"
import { browser, browserObstacle, emptyPage, inspect } from "../support/Browser.ts"
import { issueOn } from "../support/Instances.ts"
import { serve, untilFound } from "../support/Process.ts"
import { linkOf } from "../support/Smtp.ts"
import { oneCredit } from "../support/Samples.ts"
import { slowly } from "../support/slowly.ts"

const textOf = (page: Page, selector: string): Effect.Effect<unknown> =>
  Effect.promise(() => page.evaluate(`document.querySelector("${selector}").textContent.trim()`))

const press = (page: Page, selector: string) =>
  Effect.promise(() => Promise.all([page.waitForNavigation(), page.click(selector)]))

const look = Effect.fnUntraced(function* (page: Page, name: string) {
  yield* Effect.promise(() => page.setJavaScriptEnabled(true))
  yield* inspect(page, name)
  yield* Effect.promise(() => page.setJavaScriptEnabled(false))
})

describe.skipIf(browserObstacle !== undefined)("emails about low credits, in a browser", slowly, () => {
  it.live("are switched off from the email and on again on the page of the key, without JavaScript", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const url = `sqlite:${directory}/data/outreach-forecast.db`
      const [{ id, secret: key } = assert.fail("no key")] = yield* issueOn(url, 1, 1)
      yield* Effect.provide(
        Effect.flatMap(Credits, ({ charge }) => charge(id, oneCredit())),
        applicationOn(url)
      )
      // Due emails are queued at startup.
      const server = yield* serve(directory)
      const folder = `${directory}/data/mail`
      const written = Effect.sync(() =>
        (existsSync(folder) ? readdirSync(folder) : []).map((file) => `${folder}/${file}`)
      )
      // A file is empty when it is created.
      const links = Effect.map(written, (files) => files.map((file) => linkOf(readFileSync(file, "utf8"))))
      const [link = ""] = yield* untilFound(links, ([first = ""]) => first !== "")
      const { pathname } = new URL(link)

      const page = yield* Effect.flatMap(browser, emptyPage)
      yield* Effect.promise(() => page.setJavaScriptEnabled(false))
      yield* Effect.promise(() => page.goto(server.url + pathname))
      assert.strictEqual(yield* textOf(page, "h1"), "Stop these emails")
      yield* look(page, "unsubscribe")
      yield* press(page, "main button")
      assert.strictEqual(yield* textOf(page, "h1"), "These emails are off")
      yield* look(page, "unsubscribed")

      yield* press(page, 'main a[href="/key#emails"]')
      yield* Effect.promise(() => page.type("#api_key", key))
      yield* press(page, "main form button")
      const button = "[name=notices]"
      assert.strictEqual(yield* textOf(page, button), "Email me when credits run low")
      yield* press(page, button)
      assert.strictEqual(page.url(), `${server.url}/key#emails`)
      assert.strictEqual(yield* textOf(page, button), "Stop these emails")
      yield* look(page, "key-emails")
    })
  )
})
