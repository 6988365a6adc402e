import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { temporaryDirectory } from "../support/Application.ts"
import { browser, browserObstacle, emptyPage } from "../support/Browser.ts"
import { runHere } from "../support/CommandLine.ts"
import { ServiceResponse } from "../support/Http.ts"
import { serve, until } from "../support/Process.ts"
import { sample } from "../support/Samples.ts"
import { linkOf, smtpServer } from "../support/Smtp.ts"

const textAt = (page: Page, selector: string) =>
  Effect.promise(async () =>
    String(await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`))
  )

const press = (page: Page, selector: string) =>
  Effect.promise(async () => {
    await Promise.all([page.waitForNavigation(), page.click(selector)])
  })

const fill = (page: Page, fields: Readonly<Record<string, string>>) =>
  Effect.promise(async () => {
    for (const [id, text] of Object.entries(fields)) {
      // The fields of a form are filled in one after another. oxlint-disable-next-line no-await-in-loop
      await page.type(`#${id}`, text)
    }
  })

describe.skipIf(browserObstacle !== undefined)("a customer, in a browser", () => {
  it.live(
    "gets from the form to a key, a sub-key at its limit, the email about low credits, an order and its receipt",
    () =>
      Effect.gen(function* () {
        const smtp = yield* smtpServer
        const directory = yield* temporaryDirectory
        const server = yield* serve(directory, { MAIL_URL: smtp.url, SELLER_NAME: "Forecasts Ltd" })
        const page = yield* Effect.flatMap(browser, emptyPage)
        const mailAbout = (subject: string) => smtp.messages.find((message) => message.includes(`Subject: ${subject}`))
        const call = (path: string, key: string, body: unknown) =>
          Effect.promise(async () => {
            const headers = { "x-api-key": key, "content-type": "application/json" }
            const response = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) })
            return new ServiceResponse(response.status, response.headers, await response.text())
          })

        yield* Effect.promise(() => page.goto(server.url))
        yield* fill(page, { name: "Maya", email: "maya@example.com", company: "Example Agency" })
        yield* press(page, "form[action='/access'] button")
        yield* until(() => smtp.messages.length > 0)
        yield* Effect.promise(() => page.goto(linkOf(smtp.messages[0] ?? "")))
        yield* press(page, "main button")
        const key = yield* textAt(page, "#key")

        yield* Effect.promise(() => page.goto(`${server.url}/key`))
        yield* fill(page, { api_key: key })
        yield* press(page, "main form button")
        yield* press(page, 'a[href="/key/sub-keys"]')
        yield* fill(page, { name: "CRM", monthly_limit: "2" })
        yield* press(page, "main form button")
        const subKey = yield* textAt(page, "#key")
        const responses = []
        for (let i = 0; i < 3; i++) responses.push(yield* call("/api/v1/forecast", subKey, sample))
        assert.deepStrictEqual(
          responses.map(({ status }) => status),
          [200, 200, 429]
        )
        assert.include(responses[2]?.json, { code: "sub_key_limit_reached" })

        // 98 are left; an email is sent below 20 of 100.
        const many = yield* call("/api/v1/forecasts", key, { campaigns: Array.from({ length: 79 }, () => sample) })
        assert.strictEqual(many.status, 200, many.text)
        yield* until(() => mailAbout("You have 19 forecast credits left") !== undefined)

        yield* Effect.promise(() => page.goto(`${server.url}/key`))
        assert.strictEqual(yield* textAt(page, ".amount"), "19")
        assert.include(yield* textAt(page, "main"), "2 of 2")
        yield* press(page, "#buy ~ form button")
        const [id = assert.fail(page.url())] = /ord_\w{16}/.exec(page.url()) ?? []
        const paid = yield* runHere(directory, ["orders", "fulfil", id, "--reference", "bank 7"])
        assert.strictEqual(paid.code, 0, paid.stderr)
        yield* until(() => mailAbout("Your forecast credits are here") !== undefined)
        yield* Effect.promise(() => page.goto(`${server.url}/key/orders/${id}`))
        const receipt = yield* textAt(page, "main")
        for (const part of [id, "Forecasts Ltd", "Example Agency", "bank 7"]) assert.include(receipt, part)
        yield* Effect.promise(() => page.goto(`${server.url}/key`))
        assert.strictEqual(yield* textAt(page, ".amount"), "519")
      })
  )
})
