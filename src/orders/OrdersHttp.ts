import { Effect, Equal, Layer, Option, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Credits } from "../credits/Credits.ts"
import { normalized } from "../keys/ApiKey.ts"
import { SignedInKey } from "../keys/SignedInKeyHttp.ts"
import { Orders } from "./Orders.ts"
import { priceOf } from "../settings/CreditPack.ts"
import { orderingOf } from "../settings/Ordering.ts"
import { Settings } from "../Settings.ts"
import { apiOf } from "../http/problems/ProblemResponses.ts"
import * as Authenticating from "../keys/AuthenticationHttp.ts"
import { CallerKey, CurrentKey } from "../keys/AuthenticationApi.ts"
import { readJson } from "../http/RequestBody.ts"
import { idempotencyKey, newFormKey, replayed } from "../idempotency/Idempotency.ts"
import { orderAnswer } from "./OrderAnswer.ts"
import { problemsOf } from "../http/problems/problem.ts"
import { maxListed, OrderGroup } from "./OrdersApi.ts"
import { OrderProblem } from "./OrdersProblems.ts"
import { KeyProblem } from "../keys/KeysProblems.ts"
import { OrderPlacing } from "./OrderPlacingHttp.ts"
import { OrderDecoders } from "./OrderRequest.ts"
import { PublicUrl } from "../http/RequestState.ts"
import { packsPage } from "./PacksPages.ts"
import { notOrderedPage, orderPage } from "./OrdersPages.ts"
import { KeylessLimits } from "../http/KeylessLimits.ts"
import type { FormState } from "../site/form.ts"
import { TokenLimits } from "../keys/TokenLimitsHttp.ts"
import { respondToForm, formResponses } from "../site/FormHttp.ts"

/** The response with a new order, or with the order of an earlier attempt of the same request. */
const placed = ({ answer, isReplay }: { readonly answer: string; readonly isReplay: boolean }) =>
  HttpServerResponse.text(answer, {
    status: 201,
    contentType: "application/json",
    headers: isReplay ? replayed : {}
  })

const FormProblem = { ...OrderProblem, KeyRevoked: KeyProblem.KeyRevoked }

const answerOrder = formResponses(problemsOf<(typeof FormProblem)[keyof typeof FormProblem]["Type"]>(FormProblem))

const api = apiOf(OrderGroup)

const handlers = HttpApiBuilder.group(
  api,
  "orders",
  Effect.fnUntraced(function* (handlers) {
    const settings = yield* Settings
    const { creditPacks } = settings
    const keylessLimits = yield* KeylessLimits
    const orders = yield* Orders
    const placing = yield* OrderPlacing
    const { ofKey, ofOwner } = yield* OrderDecoders

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
            const { pack } = yield* readJson(request, ofKey)
            const repeatable = yield* Effect.fromResult(idempotencyKey(request.headers))
            return placed(yield* placing.forKey(pack, key.value, repeatable))
          }
          const { pack, ...owner } = yield* readJson(request, ofOwner)
          const repeatable = yield* Effect.fromResult(idempotencyKey(request.headers))
          return yield* placing.forOwner(pack, normalized(owner), repeatable).pipe(
            // Attempts to guess Idempotency-Keys of another address count too.
            Effect.tapErrorTag("IdempotencyMismatch", () => keylessLimits.request),
            Effect.map(placed)
          )
        })
      )
      .handle(
        "orders",
        Effect.fnUntraced(function* () {
          const { id } = yield* CurrentKey
          const found = yield* orders.listOf(id, maxListed)
          return { orders: found.map((order) => orderAnswer(order, settings)) }
        })
      )
      .handle(
        "orderStatus",
        Effect.fnUntraced(function* ({ params }) {
          const { id } = yield* CurrentKey
          return orderAnswer(yield* orders.findOf(id, params.order_id), settings)
        })
      )
  })
)

/** `/credits`, and the page of an order for anyone with its address, which is a secret and never logged. */
const pages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const settings = yield* Settings
    const { creditPacks } = settings
    const tokenLimits = yield* TokenLimits
    const credits = yield* Credits
    const orders = yield* Orders
    const placing = yield* OrderPlacing
    const { ofOwner } = yield* OrderDecoders
    const random = yield* SecureRandom.SecureRandom
    const publicUrl = yield* PublicUrl

    /** The signed-in buyer, with the remaining credits of the key; nobody for the demo key, which everyone shares. */
    const signedInBuyer = Effect.gen(function* () {
      const found = yield* yield* SignedInKey
      if (Option.isNone(found) || found.value.isDemo) return {}
      const key = found.value
      return { buyer: { key, remaining: (yield* credits.balance(key.id)).remaining } }
    })

    /** Redirects to the page of the new order, or shows the errors in the form. */
    const answerOrderForm = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const nextKey = yield* newFormKey(random)
      const signedIn = yield* signedInBuyer
      const { buyer } = signedIn
      // Shown again, a form keeps its key: what was ordered with it is not ordered a second time.
      const page = (state: FormState, status: number) =>
        packsPage(creditPacks, orderingOf(settings), {
          state,
          status,
          idempotencyKey: state.values["idempotency_key"] || nextKey,
          ...signedIn
        })
      return yield* respondToForm(request, {
        publicUrl,
        fields: ["pack", "name", "email", "company", "idempotency_key"],
        decode: ({ company, email, name, pack }) => ofOwner({ company, email, name, pack }),
        submit: ({ pack, ...given }, values) => {
          const { idempotency_key: formKey = "" } = values
          const owner = normalized(given)
          // An order under another name or for another address is placed as one without the key.
          const isOwn = buyer !== undefined && Equal.equals(owner, buyer.key.owner)
          const placed = isOwn
            ? placing.forFormOfKey(pack, buyer.key, formKey)
            : placing.forFormOfOwner(pack, owner, formKey)
          const shown = Effect.map(placed, (path) => HttpServerResponse.redirect(path, { status: 303 }))
          return answerOrder(values, shown, (state, status) => Effect.succeed(page(state, status)))
        },
        page,
        decoy: notOrderedPage
      })
    })

    yield* router.add(
      "GET",
      "/credits",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const payment = new URLSearchParams(request.url.split("?")[1]).get("payment") ?? ""
        return packsPage(creditPacks, orderingOf(settings), {
          payment,
          idempotencyKey: yield* newFormKey(random),
          url: `${publicUrl}/credits`,
          ...(yield* signedInBuyer)
        })
      })
    )

    yield* router.add("POST", "/credits", answerOrderForm)

    yield* router.add(
      "GET",
      "/orders/:id/:secret",
      Effect.gen(function* () {
        const { id = "", secret = "" } = yield* HttpRouter.params
        const token = Redacted.make(secret)
        const order = yield* tokenLimits.admit(token, orders.findBySecret(id, token), Result.isSuccess)
        return orderPage(order, settings)
      })
    )
  })
)

const endpoints = HttpApiBuilder.layer(api).pipe(
  Layer.provide(handlers),
  Layer.provide([Authenticating.layer, Authenticating.layerOptional])
)

export const layer = Layer.merge(endpoints, pages).pipe(
  Layer.provide([OrderPlacing.layer, OrderDecoders.layer, KeylessLimits.layer])
)
