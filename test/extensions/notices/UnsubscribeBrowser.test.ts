import { existsSync, readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Credits } from "../../../src/credits/Credits.ts"
import { applicationOn, temporaryDirectory } from "../../support/Application.ts"
import { browserObstacle, follow, inspect, pageOf, textAt } from "../../support/Browser.ts"
import { issueOn } from "../../support/Instances.ts"
import { serve, untilFound } from "../../support/Process.ts"
import { linkOf } from "../../support/Smtp.ts"
import { oneCredit } from "../../support/Samples.ts"
import { slowly } from "../../support/slowly.ts"

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

      const { page } = yield* pageOf(server)
      yield* Effect.promise(async () => {
        await page.setJavaScriptEnabled(false)
        await page.goto(server.url + pathname)
        assert.strictEqual(await textAt(page, "h1"), "Stop these emails")
        await inspect(page, "unsubscribe")
        await follow(page, "main button")
        assert.strictEqual(await textAt(page, "h1"), "These emails are off")
        await inspect(page, "unsubscribed")

        await follow(page, 'main a[href="/key#emails"]')
        await page.type("#api_key", key)
        await follow(page, "main form button")
        const button = "[name=notices]"
        assert.strictEqual(await textAt(page, button), "Email me when credits run low")
        await follow(page, button)
        assert.strictEqual(page.url(), `${server.url}/key#emails`)
        assert.strictEqual(await textAt(page, button), "Stop these emails")
        await inspect(page, "key-emails")
      })
    })
  )
})
