import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Owner } from "../keys/ApiKey.ts"
import { Authentication, OptionalAuthentication } from "../keys/AuthenticationApi.ts"
import { exampleOrder, OrderAnswer, packFields } from "./OrderAnswer.ts"
import { OrderRequest } from "./OrderRequest.ts"
import { withIdempotencyKey } from "../idempotency/IdempotencyDocument.ts"
import { withFieldsTogether, withLink } from "../http/document/OpenApiDocument.ts"
import { HttpProblem, serverFailures } from "../http/problems/HttpProblems.ts"
import { OrderProblem } from "./OrdersProblems.ts"
import { IdempotencyProblem } from "../idempotency/IdempotencyProblems.ts"

/** The credit packs for sale. */
const CreditPacks = Schema.Struct({
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

/** The most orders in a list. */
export const maxListed = 200

/** The orders of a key. */
const OrderList = Schema.Struct({
  orders: Schema.Array(OrderAnswer).annotate({ description: `Newest first, at most ${maxListed}.` })
}).annotate({
  identifier: "Orders",
  description: "The orders of a key: those placed with it, and those whose credits it received.",
  examples: [
    {
      orders: [
        {
          ...exampleOrder,
          status: "fulfilled",
          pay_url: null,
          next_step: "The credits have been added. There is nothing left to do.",
          paid_at: "2026-11-23T10:00:00.000Z",
          fulfilled_at: "2026-11-23T10:00:00.000Z"
        }
      ]
    }
  ]
})

const OrderPath = Schema.Struct({
  order_id: Schema.String.annotate({ description: "The ID of the order.", examples: ["ord_3kTq0VbW9sXhY2Lm"] })
})

export const OrderGroup = HttpApiGroup.make("orders")
  .add(
    HttpApiEndpoint.get("creditPacks", "/api/v1/credit-packs", {
      success: CreditPacks,
      error: serverFailures
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "creditPacks",
        summary: "List credit packs",
        description: "Needs no key.",
        transform: (operation) =>
          withLink(operation, "200", { operationId: "order", description: "Order a pack by its ID, with a key." })
      })
    ),
    HttpApiEndpoint.post("order", "/api/v1/orders", {
      payload: OrderRequest,
      success: OrderAnswer.pipe(HttpApiSchema.status(201)),
      error: [
        HttpProblem.InvalidInput,
        HttpProblem.MalformedJson,
        OrderProblem.DemoKeyRefused,
        HttpProblem.PayloadTooLarge,
        HttpProblem.UnsupportedMediaType,
        IdempotencyProblem.IdempotencyInProgress,
        OrderProblem.TooManyUnpaidOrders,
        IdempotencyProblem.IdempotencyMismatch,
        HttpProblem.RateLimited,
        ...serverFailures,
        OrderProblem.PaymentsUnavailable
      ]
    })
      .middleware(OptionalAuthentication)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "order",
          summary: "Order a credit pack",
          description:
            "With a key, the credits are for that key: send only pack. Without one, send name, email and company too: they are " +
            "for the key of that address, or for a new one. They are added when the payment is confirmed, and an email confirms " +
            "that. People use the page /credits.",
          override: { security: [{ apiKey: [] }, {}] },
          transform: (operation) =>
            withLink(withFieldsTogether(withIdempotencyKey(operation), Object.keys(Owner.fields)), "201", {
              operationId: "orderStatus",
              description: "The status of the order, for the key that placed it.",
              parameters: { order_id: "$response.body#/order_id" }
            })
        })
      ),
    HttpApiEndpoint.get("orders", "/api/v1/orders", {
      success: OrderList,
      error: serverFailures
    })
      .middleware(Authentication)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "orders",
          summary: "List the key's orders",
          description: `Newest first, at most ${maxListed}. Costs no credit.`
        })
      ),
    HttpApiEndpoint.get("orderStatus", "/api/v1/orders/:order_id", {
      params: OrderPath,
      success: OrderAnswer,
      // A path with an escape is refused before the order is looked up.
      error: [OrderProblem.OrderNotFound, HttpProblem.NotFound, ...serverFailures]
    })
      .middleware(Authentication)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "orderStatus",
          summary: "Get the status of an order",
          description:
            "Only for the key that placed the order. An order placed without a key has a page instead: the email that " +
            "confirms the order links to it. Costs no credit."
        })
      )
  )
  .annotateMerge(OpenApi.annotations({ title: "Orders", description: "How to buy forecast credits." }))
