import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { quantity } from "../../input/Numbers.ts"
import { Owner } from "../../keys/ApiKey.ts"
import { OrderState } from "../../orders/Order.ts"
import { OptionalAuthentication } from "./Authentication.ts"
import { withForm } from "../openapi/FormDocument.ts"
import { withIdempotencyKey } from "../openapi/IdempotencyDocument.ts"
import { Problem } from "../problems/Problems.ts"

const packFields = {
  credits: quantity.annotate({ description: "Forecast credits in the pack.", examples: [500] }),
  price: Schema.Finite.annotate({ description: "Price in major units of the currency.", examples: [19] }),
  currency: Schema.String.annotate({ description: "ISO 4217 code.", examples: ["USD"] })
}

const CreditPacks = Schema.Struct({
  packs: Schema.Array(
    Schema.Struct({
      id: Schema.String.annotate({ description: "The id to order it by.", examples: ["starter"] }),
      ...packFields
    })
  ).annotate({ description: "The packs." })
}).annotate({
  identifier: "CreditPacks",
  description: "The credit packs that can be ordered.",
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

const OrderRequest = Schema.Struct({
  pack: Schema.String.annotate({ description: "The id of a pack.", examples: ["starter"] }),
  name: Schema.optionalKey(Owner.fields.name),
  email: Schema.optionalKey(Owner.fields.email),
  company: Schema.optionalKey(Owner.fields.company)
}).annotate({
  identifier: "OrderRequest",
  description:
    "With a key the pack only: the key says who orders. Without one also all three of name, email and company.",
  examples: [{ pack: "starter", name: "Ada Lovelace", email: "ada@example.com", company: "Example Ltd" }]
})

export const OrderAnswer = Schema.Struct({
  order_id: Schema.String.annotate({ description: "The id of the order.", examples: ["ord_3kTq0VbW9sXhY2Lm"] }),
  status: OrderState.annotate({ description: "The state of the order.", examples: ["awaiting_payment"] }),
  pack: Schema.String.annotate({ description: "The pack.", examples: ["starter"] }),
  ...packFields,
  pay_url: Schema.NullOr(Schema.String.annotate({ format: "uri" })).annotate({
    description: "Where the order is paid; null where the operator confirms payments.",
    examples: ["https://checkout.stripe.com/c/pay/cs_live_a1"]
  }),
  instructions: Schema.NullOr(Schema.String).annotate({
    description: "How to pay where there is no pay_url; else null.",
    examples: ["Pay 19.00 USD to the operator of this service, with ord_3kTq0VbW9sXhY2Lm as the reference. …"]
  })
}).annotate({
  identifier: "OrderAnswer",
  description: "The order was accepted and awaits its payment.",
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

export const OrderGroup = HttpApiGroup.make("orders")
  .add(
    HttpApiEndpoint.get("creditPacks", "/api/v1/credit-packs", {
      success: CreditPacks,
      error: [Problem.Internal, Problem.Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "creditPacks",
        summary: "What credits cost",
        description: "Needs no key."
      })
    ),
    HttpApiEndpoint.post("order", "/api/v1/orders", {
      payload: OrderRequest,
      success: OrderAnswer.pipe(HttpApiSchema.status(201)),
      error: [
        Problem.InvalidInput,
        Problem.MalformedJson,
        Problem.DemoKeyRefused,
        Problem.PayloadTooLarge,
        Problem.UnsupportedMediaType,
        Problem.IdempotencyInProgress,
        Problem.TooManyUnpaidOrders,
        Problem.IdempotencyMismatch,
        Problem.RateLimited,
        Problem.Internal,
        Problem.Unavailable,
        Problem.PaymentsUnavailable
      ]
    })
      .middleware(OptionalAuthentication)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "order",
          summary: "Order a credit pack",
          description:
            "With a key, for that key: send pack only. Without one with name, email and company, for the key of that " +
            "address or a new one. The credits are added when the payment is confirmed, and a mail says so. The form of the " +
            "page /credits posts here too, without a key, and gets pages.",
          transform: (operation) => ({
            ...withForm(withIdempotencyKey(operation), "503"),
            security: [{ apiKey: [] }, {}]
          })
        })
      )
  )
  .annotateMerge(OpenApi.annotations({ title: "Orders", description: "How to buy forecast credits." }))
