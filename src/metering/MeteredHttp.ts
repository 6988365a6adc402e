import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Charge, UsageExhausted } from "../credits/Credits.ts"
import { historyLimit, readJson } from "../http/RequestBody.ts"
import { CurrentRequest } from "../http/RequestState.ts"
import { idempotencyKey, replayed } from "../idempotency/IdempotencyKey.ts"
import type { KeyId } from "../KeyId.ts"
import { CurrentKey } from "../keys/AuthenticationApi.ts"
import { noteBalance } from "../keys/AuthenticationHttp.ts"
import { type AskedKind, decodeAsked } from "./Asked.ts"
import type { Forecasts } from "./Forecasts.ts"

/** The key that a request is charged to, and the Idempotency-Key of its caller. */
interface Caller {
  readonly keyId: KeyId
  readonly idempotency: { readonly operation: string; readonly key: string } | undefined
}

/** The response with an answer that was charged. */
export const respond = ({ answer, balance, reference }: Charge, contentType: string) =>
  Effect.map(CurrentRequest, (state) => {
    state.balance = balance
    state.charge = reference
    return HttpServerResponse.text(answer, { contentType, headers: reference === undefined ? replayed : {} })
  })

/** Who asks at an endpoint. Fails with InvalidInput for an Idempotency-Key of another form. */
export const callerAt = ({ method, path }: { readonly method: string; readonly path: string }) => {
  const operation = `${method} ${path}`
  return Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
    const { id } = yield* CurrentKey
    const key = yield* Effect.fromResult(idempotencyKey(headers))
    const caller: Caller = { keyId: id, idempotency: key === undefined ? undefined : { operation, key } }
    return caller
  })
}

/** Notes the balance that a refusal tells. */
const noteExhausted = (failure: UsageExhausted | { readonly _tag: string }) =>
  failure instanceof UsageExhausted ? noteBalance(Effect.succeed(failure)) : Effect.void

/** Creates the handler of an endpoint whose JSON body asks for one answer, which is given for a credit. */
export const metered = (
  endpoint: { readonly method: string; readonly path: string },
  kind: AskedKind,
  { forecast }: Forecasts["Service"]
) => {
  const callerOf = callerAt(endpoint)
  return Effect.fnUntraced(function* ({ request }: { readonly request: HttpServerRequest.HttpServerRequest }) {
    const asked = yield* Effect.fromResult(decodeAsked(kind, yield* readJson(request, historyLimit)))
    return yield* forecast({ ...asked, ...(yield* callerOf(request)) }).pipe(
      Effect.tapError(noteExhausted),
      Effect.flatMap((charge) => respond(charge, "application/json")),
      // What was charged is noted for the log, also where the caller has gone meanwhile.
      Effect.uninterruptible
    )
  })
}
