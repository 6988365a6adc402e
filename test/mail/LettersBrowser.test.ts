import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { confirmKey, replaceKey } from "../../src/keys/accessMessages.ts"
import { linkMark, siteMark } from "../../src/mail/Mail.ts"
import { creditsAdded, orderPlaced, paymentDisputed } from "../../src/orders/orderMessages.ts"
import { creditsLow } from "../../src/extensions/notices/noticeMessages.ts"
import { KeyId } from "../../src/KeyStatus.ts"
import { orderOf } from "../support/Orders.ts"
import { browserObstacle, emptyPage, inspect } from "../support/Browser.ts"
import { slowly } from "../support/slowly.ts"

const name = "Maximiliane Elisabeth von und zu Hohenlohe-Waldenburg"
const prefix = "ofk_live_4fQz81Lk"
const paid = { orderId: "ord_0123456789abcdef", name, credits: 10_000, balance: 12_640, price: "249 USD" }
const order = orderOf("0123456789abcdef", { owner: { ...orderOf("").owner, name }, keyId: KeyId.make("key_1") })
const settings = {
  contact: {
    paymentInstructions: Option.some(`IBAN DE89 3704 0044 0532 0130 00\n${"x".repeat(90)}`),
    supportEmail: Option.none(),
    termsUrl: Option.some(`https://forecast.example/${"t".repeat(90)}`)
  },
  environment: "production",
  mailFrom: { name: "", address: "no-reply@forecast.example" },
  stripe: Option.none()
}

const letters = {
  "confirm-key": confirmKey({ isFirst: false }),
  "replace-key": replaceKey(name, prefix),
  "order-placed": orderPlaced({ ...order, method: "stripe" }, settings),
  "order-instructions": orderPlaced(order, settings),
  "credits-added": creditsAdded({ ...paid, prefix, isUsable: true }),
  "credits-and-key": creditsAdded({ ...paid, prefix: "", isUsable: false }),
  "credits-low": creditsLow({ name, prefix, remaining: 1999, used: 8001 }),
  "credits-used-up": creditsLow({ name, prefix, remaining: 0, used: 10_000 }),
  "payment-disputed": paymentDisputed({
    orderId: "ord_0123456789abcdef",
    disputeId: "dp_1NAn1pJaKbCdEf01GhIjKlMn",
    price: "249 USD",
    reason: "product_not_received",
    answerBy: 1_795_428_000_000
  })
}

const site = "https://forecasts.a-rather-long-name-of-a-company.example"

describe.skipIf(browserObstacle !== undefined)("each email, in a browser", slowly, () => {
  it.live("fits into 320 pixels with the longest addresses, with no axe-core findings", () =>
    Effect.gen(function* () {
      const page = yield* emptyPage
      for (const [kind, { html }] of Object.entries(letters)) {
        const filled = html
          .replaceAll(linkMark, `${site}/orders/ord_0123456789abcdef/${"W".repeat(43)}`)
          .replaceAll(siteMark, site)
        yield* Effect.promise(async () => {
          await page.setViewport({ width: 320, height: 640 })
          await page.setContent(filled)
          const width: unknown = await page.evaluate("document.documentElement.scrollWidth")
          assert.strictEqual(width, 320, kind)
          const buttons: unknown = await page.evaluate("document.querySelectorAll('.button').length")
          assert.strictEqual(buttons, 1, kind)
          await inspect(page, `mail-${kind}`)
        })
      }
    })
  )
})
