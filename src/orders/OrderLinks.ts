import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { linksLayer as keyLinksLayer } from "../keys/AccessRequests.ts"
import { LinkUnknown } from "../keys/KeyFailures.ts"
import { hashOf, newToken } from "../keys/KeySecret.ts"
import { Links } from "../mail/Links.ts"
import type { Order } from "./Order.ts"
import { OrderStore } from "./OrderStore.ts"

/** The addresses of orders' pages. Each has a secret of 256 random bits, stored as a hash: anyone with the address can see the order. */
export class OrderLinks extends Context.Service<
  OrderLinks,
  {
    /** Creates a new path of an order's page, `/orders/{id}/{secret}`; earlier ones stay valid. */
    readonly make: (orderId: string) => Effect.Effect<Redacted.Redacted>
    /** Finds an order by its ID and a secret. Fails with LinkUnknown if they do not match. */
    readonly open: (orderId: string, secret: Redacted.Redacted) => Effect.Effect<Order, LinkUnknown>
  }
>()("outreach-forecast/orders/OrderLinks") {
  static readonly layer = Layer.effect(
    OrderLinks,
    Effect.gen(function* () {
      const store = yield* OrderStore
      const makeSecret = yield* newToken
      return OrderLinks.of({
        make: Effect.fn("OrderLinks.make")(function* (orderId: string) {
          const secret = yield* makeSecret
          yield* store.addSecret(hashOf(secret), orderId, yield* Clock.currentTimeMillis)
          return Redacted.make(`/orders/${orderId}/${Redacted.value(secret)}`)
        }),
        open: Effect.fn("OrderLinks.open")(function* (orderId: string, secret: Redacted.Redacted) {
          const order = yield* store.findBySecret(orderId, hashOf(secret))
          return Option.isSome(order) ? order.value : yield* new LinkUnknown()
        })
      })
    })
  )
}

/** Creates the links in emails: to the page of an order if a link has an order's ID, otherwise to the page that reveals a key. */
export const linksLayer = (publicUrl: string) =>
  Layer.effect(
    Links,
    Effect.gen(function* () {
      const keyLinks = yield* Links
      const orderLinks = yield* OrderLinks
      return Links.of({
        site: publicUrl,
        make: (linkId) =>
          linkId.startsWith("ord_")
            ? Effect.map(orderLinks.make(linkId), (path) => Redacted.make(`${publicUrl}${Redacted.value(path)}`))
            : keyLinks.make(linkId)
      })
    })
  ).pipe(Layer.provide(keyLinksLayer(publicUrl)))
