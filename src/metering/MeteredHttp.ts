import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Charge, UsageExhausted } from "../credits/Credits.ts"
import { historyLimit, isLong, readBody } from "../http/RequestBody.ts"
import { CurrentRequest } from "../http/RequestState.ts"
import { idempotencyKey, replayed } from "../idempotency/IdempotencyKey.ts"
import type { KeyId, SubKeyId } from "../KeyId.ts"
import { CurrentKey } from "../keys/AuthenticationApi.ts"
import { noteBalance } from "../keys/AuthenticationHttp.ts"
import { requestReading } from "./computations.ts"
import { Forecasts } from "./Forecasts.ts"
import { type MeteredKind, readMetered } from "./MeteredRequest.ts"
import { WorkerPool } from "../workers/WorkerPool.ts"

/** The key that a request is charged to, and the Idempotency-Key of its caller. */
interface Caller {
  readonly keyId: KeyId
  readonly subKeyId: SubKeyId | undefined
  readonly idempotency: { readonly operation: string; readonly key: string } | undefined
}

/** The response to a request that was charged. */
export const respond = ({ answer, balance, reference }: Charge, contentType: string) =>
  Effect.map(CurrentRequest, (state) => {
    state.balance = balance
    state.charge = reference
    return HttpServerResponse.text(answer, { contentType, headers: reference === undefined ? replayed : {} })
  })

/** Creates a reader of an endpoint's caller. Fails with InvalidInput if the Idempotency-Key is invalid. */
export const callerAt = ({ method, path }: { readonly method: string; readonly path: string }) => {
  const operation = `${method} ${path}`
  return Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
    const { id, subKey } = yield* CurrentKey
    const key = yield* Effect.fromResult(idempotencyKey(headers))
    const caller: Caller = {
      keyId: id,
      subKeyId: subKey?.id,
      idempotency: key === undefined ? undefined : { operation, key }
    }
    return caller
  })
}

/** Sets the balance for the headers of a refusal; that of a sub-key has its allowance too, and must be looked up. */
const noteExhausted = (failure: UsageExhausted | { readonly _tag: string }, { subKeyId }: Caller) =>
  failure instanceof UsageExhausted && subKeyId === undefined ? noteBalance(Effect.succeed(failure)) : Effect.void

/** Creates handlers of endpoints that answer a JSON body for one credit. */
export const makeMetered = Effect.gen(function* () {
  const { forecast } = yield* Forecasts
  const pool = yield* WorkerPool
  return (endpoint: { readonly method: string; readonly path: string }, kind: MeteredKind) => {
    const callerOf = callerAt(endpoint)
    return Effect.fnUntraced(function* ({ request }: { readonly request: HttpServerRequest.HttpServerRequest }) {
      const text = yield* readBody(request, { limit: historyLimit, types: ["application/json"] })
      const { id } = yield* CurrentKey
      const metered = yield* isLong(text)
        ? pool.compute(id, (run) => run(requestReading, { kind, text }))
        : Effect.fromResult(readMetered(kind, text))
      const caller = yield* callerOf(request)
      return yield* forecast({ ...metered, ...caller }).pipe(
        Effect.tapError((failure) => noteExhausted(failure, caller)),
        Effect.flatMap((charge) => respond(charge, "application/json")),
        // A charge is logged even if the client has disconnected.
        Effect.uninterruptible
      )
    })
  }
})
