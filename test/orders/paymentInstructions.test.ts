import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { paymentInstructions, timeOfPayment } from "../../src/orders/paymentInstructions.ts"
import { orderingOf } from "../../src/settings/Ordering.ts"
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
        `Pay 19 USD with ord_1 as the reference.\nBank\nIBAN DE02.\n${end}\nQuestions? Write to help@forecast.example.`
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

describe("the time of payment of an order", () => {
  const trial = { environment: "development" }
  const timeIn = (given: ReturnType<typeof settings>, method: "manual" | "stripe" = "manual") =>
    timeOfPayment({ method, paidAt: 5 }, orderingOf(given))

  it("is missing only if the operator of a trial added its credits", () => {
    assert.isUndefined(timeIn(settings(undefined, undefined, trial)))
    assert.deepStrictEqual(
      [
        timeIn(settings(undefined, undefined, trial), "stripe"),
        timeIn(settings(undefined, undefined, { ...trial, stripe: Option.some({}) })),
        timeIn(settings("IBAN DE02.", undefined, trial)),
        timeIn(settings(undefined, "help@forecast.example", trial)),
        timeIn(settings())
      ],
      [5, 5, 5, 5, 5]
    )
  })
})
