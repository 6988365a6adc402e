import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { orderAnswer } from "../../src/orders/OrderAnswer.ts"
import { paymentInstructions } from "../../src/orders/paymentInstructions.ts"
import { isTrial, orderingOf } from "../../src/settings/Ordering.ts"
import { orderOf } from "../support/Orders.ts"

const order = orderOf("1")
const settings = (
  instructions?: string,
  email?: string,
  others: Partial<Parameters<typeof paymentInstructions>[1]> = {}
) => ({
  contact: {
    paymentInstructions: Option.fromUndefinedOr(instructions),
    supportEmail: Option.fromUndefinedOr(email),
    termsUrl: Option.none()
  },
  environment: "production",
  mailFrom: { name: "", address: "no-reply@forecast.example" },
  stripe: Option.none(),
  ...others
})

describe("how an order is paid without Stripe", () => {
  const end = "Once the payment is confirmed, we add the credits and email you."

  it("is explained in one line, or in several if the operator wrote several lines or no sentence", () => {
    assert.deepStrictEqual(
      [settings("IBAN DE02."), settings("To account 1"), settings("Bank\nIBAN DE02.", "help@forecast.example")].map(
        (each) => paymentInstructions(order, each)
      ),
      [
        `Pay 19 USD with ord_1 as the reference. IBAN DE02. ${end}`,
        `Pay 19 USD with ord_1 as the reference.\nTo account 1\n${end}`,
        `Pay 19 USD with ord_1 as the reference.\nBank\nIBAN DE02.\n${end}`
      ]
    )
  })

  it("refers to the contact if nothing is set, and otherwise repeats the notice of the page with the packs", () => {
    assert.deepStrictEqual(
      [
        settings(undefined, "help@forecast.example"),
        settings(undefined, undefined, { mailFrom: { name: "", address: "hello@forecast.example" } }),
        settings(undefined, undefined, { environment: "development" }),
        settings()
      ].map((each) => paymentInstructions(order, each)),
      [
        `To pay, write to help@forecast.example with ord_1 as the reference. ${end}`,
        `To pay, write to hello@forecast.example with ord_1 as the reference. ${end}`,
        "This service is a trial: nothing is charged, and its operator adds the credits.",
        "Credits are not on sale here yet."
      ]
    )
  })

  it("is a new order if payments have moved to Stripe since", () => {
    const moved = settings(undefined, undefined, { stripe: Option.some({}) })
    assert.strictEqual(
      paymentInstructions(order, moved),
      "Payments have moved to a payment page since: place a new order."
    )
  })

  it("is not explained if Stripe takes the payment", () => {
    assert.isUndefined(paymentInstructions({ ...order, method: "stripe" }, settings("IBAN DE02.")))
  })
})

describe("a trial", () => {
  const elsewhere = { environment: "development" }

  it("is a service outside production that has no way to pay and nobody to ask", () => {
    const given = [
      settings(undefined, undefined, elsewhere),
      settings(undefined, undefined, { ...elsewhere, stripe: Option.some({}) }),
      settings("IBAN DE02.", undefined, elsewhere),
      settings(undefined, "help@forecast.example", elsewhere),
      settings()
    ]
    assert.deepStrictEqual(
      given.map((each) => isTrial(orderingOf(each))),
      [true, false, false, false, false]
    )
  })

  it("has charged nothing, whatever the settings are since", () => {
    const added = orderOf("1", { state: "fulfilled", isTrial: true, paidAt: 5, fulfilledAt: 5 })
    for (const later of [
      settings(),
      settings("IBAN DE02."),
      settings(undefined, undefined, { stripe: Option.some({}) })
    ]) {
      assert.include(orderAnswer(added, later), {
        paid_at: null,
        next_step: "Added by the operator of this trial; nothing was charged. There is nothing left to do."
      })
    }
    const paid = orderAnswer({ ...added, isTrial: false }, settings(undefined, undefined, elsewhere))
    assert.strictEqual(paid.paid_at, "1970-01-01T00:00:00.005Z")
  })
})
