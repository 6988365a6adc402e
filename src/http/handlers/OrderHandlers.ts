import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Credits } from "../../credits/Credits.ts"
import { decodeFields } from "../../input/decodeFields.ts"
import { type ApiKey, normalized, Owner } from "../../keys/ApiKey.ts"
import { priceOf } from "../../orders/CreditPack.ts"
import { Orders, type PlacedOrder } from "../../orders/Orders.ts"
import { Settings } from "../../Settings.ts"
import { Api } from "../Api.ts"
import { CallerKey, noteBalance, OptionalAuthentication } from "../Authentication.ts"
import { isForm } from "../FormBody.ts"
import { readJson } from "../JsonBody.ts"
import { creditsPage, notOrderedPage, orderedPage } from "../pages/creditPages.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { RequestLimits } from "../RequestLimits.ts"
import type { PageRoute } from "../RouteTable.ts"
import { answerForm } from "./answerForm.ts"

const creditsPath = "/credits"

/** The routes of the page that sells credits. */
export const orderPageRoutes: ReadonlyArray<PageRoute> = [["GET", creditsPath]]

/** A field that is not for callers with a key. */
const saidByTheKey = Schema.optionalKey(
  Schema.Unknown.check(
    Schema.makeFilter(() => false, {
      code: "unknown_field",
      message: "must be left out: the key says who orders"
    })
  )
)

/** Reads orders of packs that are there, with and without a key. */
const makeDecoders = Effect.map(Settings, ({ creditPacks }) => {
  const byId = new Map(creditPacks.map((pack) => [pack.id, pack]))
  const pack = Schema.String.check(
    Schema.makeFilter((id) => byId.has(id), {
      code: "out_of_range",
      message: `must be one of ${[...byId.keys()].join(", ")}`
    })
  )
  return {
    packOf: (id: string) => Effect.fromOption(Option.fromUndefinedOr(byId.get(id))).pipe(Effect.orDie),
    ofKey: decodeFields(
      Schema.Struct({ pack, name: saidByTheKey, email: saidByTheKey, company: saidByTheKey }),
      new Map()
    ),
    ofOwner: decodeFields(Schema.Struct({ pack, ...Owner.fields }), new Map())
  }
})

const answerOf = ({ instructions, order }: PlacedOrder) => ({
  order_id: order.id,
  status: order.state,
  pack: order.pack,
  credits: order.credits,
  price: priceOf(order),
  currency: order.currency,
  pay_url: order.payUrl ?? null,
  instructions: instructions ?? null
})

const handlers = HttpApiBuilder.group(
  Api,
  "orders",
  Effect.fnUntraced(function* (handlers) {
    const { creditPacks } = yield* Settings
    const publicUrl = yield* PublicUrl
    const credits = yield* Credits
    const limits = yield* RequestLimits
    const orders = yield* Orders
    const { ofKey, ofOwner, packOf } = yield* makeDecoders

    /** The one place where an order comes to be, whoever orders. */
    const place = (pack: string, buyer: ApiKey | Owner) =>
      Effect.flatMap(packOf(pack), (found) => orders.place(found, buyer, `${publicUrl}${creditsPath}`))

    const placeForOwner = Effect.fnUntraced(function* ({ pack, ...owner }: Owner & { readonly pack: string }) {
      yield* limits.countClient
      // Who has no key is not the demo key.
      return yield* Effect.catchTag(place(pack, normalized(owner)), "DemoKeyRefused", Effect.die)
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
            const { pack } = yield* ofKey(yield* readJson(request))
            const placed = yield* place(pack, key.value)
            yield* noteBalance(credits.balance(key.value.id))
            return answerOf(placed)
          }
          if (!isForm(request)) return answerOf(yield* placeForOwner(yield* ofOwner(yield* readJson(request))))
          return yield* answerForm(request, {
            fields: ["pack", "name", "email", "company"],
            submit: (values) =>
              ofOwner({ value: values, duplicates: [] }).pipe(Effect.flatMap(placeForOwner), Effect.map(orderedPage)),
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

export const layer = handlers.pipe(Layer.provide([OptionalAuthentication.layer, RequestLimits.layer]))
export const pageLayer = pages
