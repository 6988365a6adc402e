import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Credits } from "../../credits/Credits.ts"
import { Idempotency, type IdempotencyInProgress } from "../../credits/Idempotency.ts"
import { type ApiKey, normalized, type Owner } from "../../keys/ApiKey.ts"
import { priceOf } from "../../settings/CreditPack.ts"
import { Orders, type PlacedOrder } from "../../orders/Orders.ts"
import { Settings } from "../../Settings.ts"
import { RoutedApi } from "../api/RoutedApi.ts"
import * as Authenticating from "./authenticate.ts"
import { noteBalance } from "./authenticate.ts"
import { CallerKey } from "../api/Authentication.ts"
import { isForm } from "./FormBody.ts"
import { idempotencyKey, replayed } from "./IdempotencyKey.ts"
import { readJson } from "./JsonBody.ts"
import type { OrderAnswer } from "../api/OrderApi.ts"
import { creditsPage, notOrderedPage, orderedPage } from "../pages/creditPages.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { RequestLimits } from "./RequestLimits.ts"
import { answerForm } from "./answerForm.ts"
import { makeOrderDecoders, requestOf } from "./orderRequests.ts"

const creditsPath = "/credits"

/** The answer to an order, as it is sent and kept. */
const answerOf = ({ instructions, order }: PlacedOrder): string => {
  const answer: typeof OrderAnswer.Type = {
    order_id: order.id,
    status: order.state,
    pack: order.pack,
    credits: order.credits,
    price: priceOf(order),
    currency: order.currency,
    pay_url: order.payUrl ?? null,
    instructions: instructions ?? null
  }
  return JSON.stringify(answer)
}

const handlers = HttpApiBuilder.group(
  RoutedApi,
  "orders",
  Effect.fnUntraced(function* (handlers) {
    const { creditPacks } = yield* Settings
    const publicUrl = yield* PublicUrl
    const credits = yield* Credits
    const limits = yield* RequestLimits
    const orders = yield* Orders
    const idempotency = yield* Idempotency
    const { ofKey, ofOwner, packOf } = yield* makeOrderDecoders

    /** The one place where an order comes to be, whoever orders. */
    const place = <E = never>(
      pack: string,
      buyer: ApiKey | Owner,
      whenStored?: (placed: PlacedOrder) => Effect.Effect<void, E>
    ) => Effect.flatMap(packOf(pack), (found) => orders.place(found, buyer, `${publicUrl}${creditsPath}`, whenStored))

    const placeForOwner = Effect.fnUntraced(function* <E = never>(
      pack: string,
      owner: Owner,
      whenStored?: (placed: PlacedOrder) => Effect.Effect<void, E>
    ) {
      yield* limits.countClient
      // Who has no key is not the demo key, and no key's orders are counted.
      return yield* place(pack, owner, whenStored).pipe(
        Effect.catchTag("DemoKeyRefused", Effect.die),
        Effect.catchTag("TooManyUnpaidOrders", Effect.die)
      )
    })

    /** Answers an order by what `placing` makes of it, or as before where the caller sends it again. */
    const answerOnce = Effect.fnUntraced(function* <B extends ApiKey | Owner, E, R>(
      request: HttpServerRequest.HttpServerRequest,
      pack: string,
      buyer: B,
      placing: (
        pack: string,
        buyer: B,
        whenStored: (placed: PlacedOrder) => Effect.Effect<void, IdempotencyInProgress>
      ) => Effect.Effect<PlacedOrder, E, R>
    ) {
      const key = yield* Effect.fromResult(idempotencyKey(request.headers))
      const { answer, isReplay } = yield* idempotency.once(
        key === undefined ? undefined : requestOf(key, pack, buyer),
        (keep) =>
          Effect.map(
            placing(pack, buyer, (placed) => keep(answerOf(placed))),
            answerOf
          )
      )
      return HttpServerResponse.text(answer, {
        status: 201,
        contentType: "application/json",
        headers: isReplay ? replayed : {}
      })
    })

    return handlers
      .handle("creditPacks", () =>
        Effect.succeed({
          packs: creditPacks.map((pack) => ({
            id: pack.id,
            credits: pack.credits,
            price: priceOf(pack),
            currency: pack.currency
          }))
        })
      )
      .handleRaw(
        "order",
        Effect.fnUntraced(function* ({ request }) {
          const key = yield* CallerKey
          if (Option.isSome(key)) {
            const { pack } = yield* Effect.fromResult(ofKey(yield* readJson(request)))
            const answer = yield* answerOnce(request, pack, key.value, place)
            yield* noteBalance(credits.balance(key.value.id))
            return answer
          }
          if (!isForm(request)) {
            const { pack, ...owner } = yield* Effect.fromResult(ofOwner(yield* readJson(request)))
            return yield* answerOnce(request, pack, normalized(owner), placeForOwner).pipe(
              // Who guesses the Idempotency-Keys of another's address is counted too.
              Effect.tapErrorTag("IdempotencyMismatch", () => limits.countClient)
            )
          }
          return yield* answerForm(request, {
            fields: ["pack", "name", "email", "company"],
            submit: (values) =>
              Effect.fromResult(ofOwner({ value: values, duplicates: [] })).pipe(
                Effect.flatMap(({ pack, ...owner }) => placeForOwner(pack, normalized(owner))),
                Effect.map(orderedPage)
              ),
            page: (state, status) => creditsPage(creditPacks, { state, status }),
            decoy: notOrderedPage
          })
        })
      )
  })
)

const pages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { creditPacks } = yield* Settings
    yield* router.add(
      "GET",
      creditsPath,
      Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) =>
        creditsPage(creditPacks, { payment: new URLSearchParams(url.split("?")[1]).get("payment") ?? "" })
      )
    )
  })
)

export const layer = handlers.pipe(Layer.provide([Authenticating.layerOptional, RequestLimits.layer]))
export const pageLayer = pages
