import type { IncomingMessage } from "node:http"
import { Effect, Result } from "effect"
import type { Charge } from "../credits/Credits.ts"
import { type DirectAnswer, directEndpoint } from "../http/server/RequestPipeline.ts"
import { readBody } from "../http/RequestBody.ts"
import { CurrentRequest } from "../http/RequestState.ts"
import { creditHeadersOf, deprecated, type HeaderFields } from "../http/ResponseHeaders.ts"
import { idempotencyKey, replayed } from "../idempotency/Idempotency.ts"
import type { KeyId, SubKeyId } from "../KeyStatus.ts"
import type { AuthenticatedKey } from "../keys/Authenticator.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { RequestKeys, secretOf } from "../keys/RequestKeys.ts"
import { Forecasts } from "./Forecasts.ts"
import { decodeJson } from "../input/parseJson.ts"
import { endpointOf } from "./ForecastsApi.ts"
import type { PaidOperation } from "./Operations.ts"

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
export const callerAt = ({ method, path }: { readonly method: string; readonly path: string }) => {
  const operation = `${method} ${path}`
  return (headers: Parameters<typeof idempotencyKey>[0], { id, subKey }: AuthenticatedKey) =>
    Result.map(idempotencyKey(headers), (key): Caller => ({
      keyId: id,
      subKeyId: subKey?.id,
      idempotency: key === undefined ? undefined : { operation, key }
    }))
}

/** The endpoints of operations with one answer for one credit. */
export const endpointsOf = Effect.fnUntraced(function* (operations: ReadonlyArray<PaidOperation>) {
  const { forecast } = yield* Forecasts
  const limits = yield* KeyLimits
  const { asKey } = yield* RequestKeys
  return operations.map((operation) => {
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
      (request: IncomingMessage) => asKey(request, secretOf(request), (key) => answer(request, key)),
      operation.isDeprecated === true ? deprecated : {}
    )
  })
})
