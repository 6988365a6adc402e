import { Schema } from "effect"
import { quantity } from "../input/numberSchemas.ts"
import { Owner } from "../keys/ApiKey.ts"
import { OrderState } from "./Order.ts"

const packFields = {
  credits: quantity.annotate({ description: "Forecast credits in the pack.", examples: [500] }),
  price: Schema.Finite.annotate({ description: "Price in major units of the currency.", examples: [19] }),
  currency: Schema.String.annotate({ description: "ISO 4217 code.", examples: ["USD"] })
}

/** The credit packs for sale. */
export const CreditPacks = Schema.Struct({
  packs: Schema.Array(
    Schema.Struct({
      id: Schema.String.annotate({ description: "The ID to order it with.", examples: ["starter"] }),
      ...packFields
    })
  ).annotate({ description: "The packs." })
}).annotate({
  identifier: "CreditPacks",
  description: "The credit packs for sale.",
  examples: [
    {
      packs: [
        { id: "starter", credits: 500, price: 19, currency: "USD" },
        { id: "growth", credits: 2500, price: 79, currency: "USD" },
        { id: "scale", credits: 10_000, price: 249, currency: "USD" }
      ]
    }
  ]
})

/** An order: the pack and the buyer. */
export const OrderRequest = Schema.Struct({
  pack: Schema.String.annotate({ description: "The ID of a pack.", examples: ["starter"] }),
  name: Schema.optionalKey(Owner.fields.name),
  email: Schema.optionalKey(Owner.fields.email),
  company: Schema.optionalKey(Owner.fields.company)
}).annotate({
  identifier: "OrderRequest",
  description:
    "With a key, only the pack: the key identifies the buyer. Without one, also name, email and company, all three.",
  examples: [{ pack: "starter", name: "Ada Lovelace", email: "ada@example.com", company: "Example Ltd" }]
})

/** A placed order. */
export const OrderAnswer = Schema.Struct({
  order_id: Schema.String.annotate({ description: "The ID of the order.", examples: ["ord_3kTq0VbW9sXhY2Lm"] }),
  status: OrderState.annotate({ description: "The state of the order.", examples: ["awaiting_payment"] }),
  pack: Schema.String.annotate({ description: "The pack.", examples: ["starter"] }),
  ...packFields,
  pay_url: Schema.NullOr(Schema.String.annotate({ format: "uri" })).annotate({
    description: "The payment page; null if the operator confirms payments, and once the order is paid.",
    examples: ["https://checkout.stripe.com/c/pay/cs_live_a1"]
  }),
  instructions: Schema.NullOr(Schema.String).annotate({
    description: "How to pay if there is no pay_url; null if there is one, and once the order is paid.",
    examples: ["Pay 19.00 USD with ord_3kTq0VbW9sXhY2Lm as the reference. …"]
  })
}).annotate({
  identifier: "OrderAnswer",
  description: "The order was accepted and awaits payment. An email confirms it.",
  examples: [
    {
      order_id: "ord_3kTq0VbW9sXhY2Lm",
      status: "awaiting_payment",
      pack: "starter",
      credits: 500,
      price: 19,
      currency: "USD",
      pay_url: "https://checkout.stripe.com/c/pay/cs_live_a1",
      instructions: null
    }
  ]
})

const time = (description: string) =>
  Schema.NullOr(Schema.String.annotate({ format: "date-time" })).annotate({
    description,
    examples: ["2026-11-23T10:00:00.000Z"]
  })

const fulfilled = {
  order_id: "ord_3kTq0VbW9sXhY2Lm",
  status: "fulfilled",
  pack: "starter",
  credits: 500,
  price: 19,
  currency: "USD",
  pay_url: null,
  instructions: null,
  next_step: "The credits have been added. There is nothing left to do.",
  support_email: "help@forecast.example",
  created_at: "2026-11-23T09:00:00.000Z",
  paid_at: "2026-11-23T10:00:00.000Z",
  fulfilled_at: "2026-11-23T10:00:00.000Z"
} as const

/** The status of an order for the key that placed it. */
export const OrderStatus = Schema.Struct({
  ...OrderAnswer.fields,
  next_step: Schema.String.annotate({
    description: "The next step, in a sentence or two.",
    examples: ["The credits have been added. There is nothing left to do."]
  }),
  support_email: Schema.NullOr(Schema.String).annotate({
    description: "The contact for questions about the order; null if the operator has not set an address.",
    examples: ["help@forecast.example"]
  }),
  created_at: Schema.String.annotate({
    description: "The time of the order, in UTC.",
    format: "date-time",
    examples: ["2026-11-23T09:00:00.000Z"]
  }),
  paid_at: time("The time of payment, in UTC; null before."),
  fulfilled_at: time("The time when its credits were added, in UTC; null before.")
}).annotate({
  identifier: "OrderStatus",
  description: "The status of an order.",
  examples: [fulfilled]
})

/** The most orders in a list. */
export const mostListed = 200

/** The orders of a key. */
export const OrderList = Schema.Struct({
  orders: Schema.Array(OrderStatus).annotate({ description: `Newest first, at most ${mostListed}.` })
}).annotate({
  identifier: "Orders",
  description: "The orders of a key: those placed with it, and those whose credits it received.",
  examples: [{ orders: [fulfilled] }]
})
