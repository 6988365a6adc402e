import { mkdirSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { Orders } from "../../src/orders/Orders.ts"
import { browserObstacle, inspect, pageOf, textAt } from "../support/Browser.ts"
import { serveHere } from "../support/Http.ts"
import { slowly } from "../support/slowly.ts"

const long = (letter: string) => letter.repeat(200)

/** The longest texts allowed, so that no receipt is longer. */
const seller = {
  SELLER_NAME: `Forecasts & Sons ${"s".repeat(80)}`,
  SELLER_ADDRESS: Array.from({ length: 6 }, () => "a".repeat(100)).join("\n"),
  SELLER_TAX_NUMBER: "VAT ID DE123456789"
}
const buyer = {
  name: long("n"),
  email: `${"e".repeat(64)}@${"d".repeat(60)}.example`,
  company: `<b>${long("c").slice(3)}`
}

describe.skipIf(browserObstacle !== undefined)("the page of a paid order, in a browser", slowly, () => {
  it.live("is a receipt that prints on one page of A4 or Letter, however long its texts are", () =>
    Effect.gen(function* () {
      const server = yield* serveHere({ ...seller, SUPPORT_EMAIL: "help@forecast.example" })
      const location = yield* Effect.promise(async () => {
        const body = new URLSearchParams({ ...buyer, pack: "growth" })
        const { headers } = await fetch(`${server.url}/credits`, { method: "POST", body, redirect: "manual" })
        return headers.get("location") ?? assert.fail("no order")
      })
      const reference = `bank ${"7".repeat(190)}`
      const order = location.split("/")[2] ?? ""
      yield* Context.get(server.services, Orders).fulfil(order, { reference, paidAt: 1 })

      const { page } = yield* pageOf(server)
      yield* Effect.promise(async () => {
        await page.goto(`${server.url}${location}`)
        const text = await textAt(page, ".receipt", "innerText")
        for (const part of [
          ...Object.values(seller),
          ...Object.values(buyer),
          "2,500 forecast credits",
          "79 USD",
          reference
        ])
          assert.include(text, part)
        await inspect(page, "receipt")
        for (const format of ["A4", "Letter"] as const) {
          const pdf = await page.pdf({ format, margin: { top: "1cm", bottom: "1cm", left: "1cm", right: "1cm" } })
          if (process.env["SCREENSHOTS"] !== undefined) {
            mkdirSync(process.env["SCREENSHOTS"], { recursive: true })
            writeFileSync(`${process.env["SCREENSHOTS"]}/receipt-${format}.pdf`, pdf)
          }
          const pages = Buffer.from(pdf)
            .toString("latin1")
            .match(/\/Type\s*\/Page\b/g)
          assert.lengthOf(pages ?? [], 1, format)
        }
        await page.emulateMediaType("print")
        const shown = await textAt(page, "body", "innerText")
        assert.include(shown, order)
        assert.notInclude(shown, "What to do")
      })
    })
  )
})
