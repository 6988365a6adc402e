import * as Authenticating from "../keys/AuthenticationHttp.ts"
import type { IncomingMessage } from "node:http"
import { Effect, Result, Layer } from "effect"
import type { Charge } from "../credits/Credits.ts"
import { type DirectAnswer, directEndpoint } from "../http/server/RequestPipeline.ts"
import { readBody, makeReceiveLarge, mediaTypeOf } from "../http/RequestBody.ts"
import { CurrentRequest } from "../http/RequestState.ts"
import { creditHeadersOf, deprecated, type HeaderFields } from "../http/ResponseHeaders.ts"
import { idempotencyKey, replayed } from "../idempotency/Idempotency.ts"
import type { KeyId, SubKeyId } from "../KeyId.ts"
import type { AuthenticatedKey } from "../keys/Authenticator.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { Forecasts } from "./Forecasts.ts"
import { decodeJson } from "../input/parseJson.ts"
import { endpointOf, listEndpoint } from "./ForecastsApi.ts"
import { operations, listOperation } from "./Operations.ts"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiGroup } from "effect/http-api"
import { Forecaster } from "../forecast/Forecaster.ts"
import { CurrentKey } from "../keys/AuthenticationApi.ts"
import { contentTypes, formatOf } from "../http/RequestHeaders.ts"
import { apiOf } from "../http/problems/ProblemResponses.ts"
import { ClientAddress } from "../http/ClientAddress.ts"
import { Limits } from "../Limits.ts"

/** The key that a request is charged to, and the Idempotency-Key of its caller. */
interface Caller {
  readonly keyId: KeyId
  readonly subKeyId: SubKeyId | undefined
  readonly idempotency: { readonly operation: string; readonly key: string } | undefined
}

/** Notes a charge for the headers and the log line of its response. Returns the response's own headers. */
export const noteCharge = ({ balance, reference }: Charge): Effect.Effect<HeaderFields> =>
  Effect.map(CurrentRequest, (state) => {
    state.creditHeaders = creditHeadersOf(balance)
    state.charge = reference
    return reference === undefined ? replayed : {}
  })

/** Creates a reader of an endpoint's caller. Fails with InvalidInput if the Idempotency-Key is invalid. */
const callerAt = ({ method, path }: { readonly method: string; readonly path: string }) => {
  const operation = `${method} ${path}`
  return (headers: Parameters<typeof idempotencyKey>[0], { id, subKey }: AuthenticatedKey) =>
    Result.map(idempotencyKey(headers), (key): Caller => ({
      keyId: id,
      subKeyId: subKey?.id,
      idempotency: key === undefined ? undefined : { operation, key }
    }))
}

/** The endpoints with one answer for one credit. */
export const endpoints = Effect.gen(function* () {
  const { forecast } = yield* Forecasts
  const limits = yield* KeyLimits
  const asKey = yield* Authenticating.makeAsKey
  return Object.values(operations).map((operation) => {
    const endpoint = endpointOf(operation)
    const callerOf = callerAt(endpoint)
    const accepted = { limit: operation.limit, types: ["application/json"] }
    const answer = Effect.fnUntraced(function* (request: IncomingMessage, key: AuthenticatedKey) {
      const text = yield* readBody(request, accepted)
      const paid = yield* Effect.fromResult(decodeJson(text, operation.read))
      const caller = yield* Effect.fromResult(callerOf(request.headers, key))
      return yield* forecast({
        request: paid,
        ...caller,
        onWasted: (forecasts) => limits.countWasted(key.id, forecasts)
      }).pipe(
        Effect.flatMap((charge) =>
          Effect.map(noteCharge(charge), (headers): DirectAnswer => ({ json: charge.answer, headers }))
        ),
        // A charge is logged even if the client has disconnected.
        Effect.uninterruptible
      )
    })
    return directEndpoint(
      endpoint,
      (request: IncomingMessage) => asKey(request, Authenticating.secretOf(request), (key) => answer(request, key)),
      operation.isDeprecated === true ? deprecated : {}
    )
  })
})

/** The largest list, in KiB, and its media types. */
const acceptedList = { limit: listOperation.limit, types: ["application/json", "text/csv"] }

const api = apiOf(HttpApiGroup.make("forecasts").add(listEndpoint))

const handlers = HttpApiBuilder.group(
  api,
  "forecasts",
  Effect.fnUntraced(function* (handlers) {
    const forecaster = yield* Forecaster
    const forecasts = yield* Forecasts
    const limits = yield* KeyLimits
    const receiveLarge = yield* makeReceiveLarge
    const callerOf = callerAt(listEndpoint)

    return handlers.handleRaw(
      "forecasts",
      Effect.fnUntraced(function* ({ request }) {
        const key = yield* CurrentKey
        const { id } = key
        const caller = callerOf(request.headers, key)
        const answer = formatOf(request.headers)
        const type = mediaTypeOf(request.headers) === "text/csv" ? "csv" : "json"
        const decode = receiveLarge(request, id, (count) =>
          Effect.flatMap(readBody(request, acceptedList, count), (text) => forecaster.list({ text, type, answer }, id))
        )
        // A body that is too large is refused before an invalid Idempotency-Key.
        if (Result.isFailure(caller)) return yield* Effect.andThen(Effect.scoped(decode), Effect.fail(caller.failure))
        const charged = yield* forecasts.list({
          ...caller.success,
          decode,
          answer,
          onWasted: (forecasts) => limits.countWasted(id, forecasts)
        })
        const headers = yield* noteCharge(charged)
        return HttpServerResponse.text(charged.answer, { contentType: contentTypes[answer], headers })
      }, Effect.uninterruptible)
    )
  })
)

/** The endpoint of lists. */
export const layer = HttpApiBuilder.layer(api).pipe(
  Layer.provide(handlers),
  Layer.provide([Authenticating.layer, ClientAddress.layer, Limits.layer])
)
