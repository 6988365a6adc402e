import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { paymentInstructions } from "../../src/orders/paymentInstructions.ts"
import { orderOf } from "../support/Orders.ts"

const order = orderOf("1")
const contact = (instructions?: string, email?: string) => ({
  paymentInstructions: Option.fromUndefinedOr(instructions),
  supportEmail: Option.fromUndefinedOr(email)
})

describe("how an order is paid without Stripe", () => {
  const end = "Once the payment is confirmed, we add the credits and email you."

  it("is explained in one line, or in several if the operator wrote several lines or no sentence", () => {
    assert.deepStrictEqual(
      [contact("IBAN DE02."), contact("To account 1"), contact("Bank\nIBAN DE02.", "help@forecast.example")].map(
        (each) => paymentInstructions(order, each)
      ),
      [
        `Pay 19.00 USD with ord_1 as the reference. IBAN DE02. ${end}`,
        `Pay 19.00 USD with ord_1 as the reference.\nTo account 1\n${end}`,
        `Pay 19.00 USD with ord_1 as the reference.\nBank\nIBAN DE02.\n${end}\nQuestions? Write to help@forecast.example.`
      ]
    )
  })

  it("refers to the operator if nothing is set, by email if there is an address", () => {
    assert.deepStrictEqual(
      [contact(undefined, "help@forecast.example"), contact()].map((each) => paymentInstructions(order, each)),
      [
        `Write to help@forecast.example to ask how to pay 19.00 USD, with ord_1 as the reference. ${end}`,
        `This service does not say how to pay. Ask its operator how to pay 19.00 USD, with ord_1 as the reference. ${end}`
      ]
    )
  })

  it("is not explained if Stripe takes the payment", () => {
    assert.isUndefined(paymentInstructions({ ...order, method: "stripe" }, contact("IBAN DE02.")))
  })
})
