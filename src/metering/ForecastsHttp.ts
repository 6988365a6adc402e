import type { IncomingMessage } from "node:http"
import { Effect, Exit, Result } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Charge } from "../credits/Credits.ts"
import { type DirectAnswer, directEndpoint, type Exchange as DirectExchange } from "../http/server/RequestPipeline.ts"
import { hasArrived, isDeclared, readBody, textAtHand } from "../http/RequestBody.ts"
import { CurrentRequest, type RequestState } from "../http/RequestState.ts"
import { type Headers, preferredReturn } from "../http/RequestHeaders.ts"
import { creditHeadersOf, deprecated, type HeaderFields, preferenceApplied } from "../http/ResponseHeaders.ts"
import { idempotencyKey, replayed } from "../idempotency/Idempotency.ts"
import type { KeyId, SubKeyId } from "../KeyStatus.ts"
import type { AuthenticatedKey } from "../keys/Authenticator.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { type KnownSecret, RequestKeys, secretOf } from "../keys/RequestKeys.ts"
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
const noteChargeOf = (state: RequestState, { balance, reference }: Charge): HeaderFields => {
  state.creditHeaders = creditHeadersOf(balance)
  state.charge = reference
  return reference === undefined ? replayed : {}
}

/** The same in the current request. */
export const noteCharge = (charge: Charge): Effect.Effect<HeaderFields> =>
  Effect.map(CurrentRequest, (state) => noteChargeOf(state, charge))

const noted = (charge: Charge) =>
  Effect.map(noteCharge(charge), (headers): DirectAnswer => ({ json: charge.answer, headers }))

/** A member that only the whole form of an answer has. */
const wholeOnly = '"calculation_notes":'

/** Says the form of an answer to a request that prefers one, or that is a replay: it keeps the form of its first answer. */
const withForm = ({ headers }: IncomingMessage, answer: DirectAnswer): DirectAnswer => {
  const isPreferred = preferredReturn(headers) !== undefined
  if (!isPreferred && answer.headers !== replayed) return answer
  const isMinimal = !answer.json.includes(wholeOnly)
  if (!isPreferred && !isMinimal) return answer
  const form = preferenceApplied.of(isMinimal ? "minimal" : "representation")
  return { ...answer, headers: { ...answer.headers, ...form } }
}

/** Creates a reader of the Idempotency-Keys of an endpoint's callers. Fails with InvalidInput if one is invalid. */
const retryAt = ({ method, path }: { readonly method: string; readonly path: string }) => {
  const operation = `${method} ${path}`
  return (headers: Headers) =>
    Result.map(idempotencyKey(headers), (key) => (key === undefined ? undefined : { operation, key }))
}

/** Creates a reader of an endpoint's callers, likewise. */
export const callerAt = (endpoint: Parameters<typeof retryAt>[0]) => {
  const retryOf = retryAt(endpoint)
  return (headers: Headers, { id, subKey }: AuthenticatedKey) =>
    Result.map(retryOf(headers), (idempotency): Caller => ({ keyId: id, subKeyId: subKey?.id, idempotency }))
}

/** The endpoints of operations with one answer for one credit. */
export const endpointsOf = Effect.fnUntraced(function* (operations: ReadonlyArray<PaidOperation>) {
  const { forecast, quickly } = yield* Forecasts
  const limits = yield* KeyLimits
  const { asFound, asKey, known } = yield* RequestKeys
  return operations.map((operation) => {
    const endpoint = endpointOf(operation)
    const callerOf = callerAt(endpoint)
    const retryOf = retryAt(endpoint)
    const accepted = { limit: operation.limit, types: ["application/json"] }
    const { minimal } = operation
    const decode = ({ headers }: IncomingMessage, text: string) =>
      decodeJson(text, minimal !== undefined && preferredReturn(headers) === "minimal" ? minimal.read : operation.read)
    const read = (request: IncomingMessage) =>
      Effect.flatMap(readBody(request, accepted), (text) => Effect.fromResult(decode(request, text)))
    const shown = (request: IncomingMessage, answer: DirectAnswer) =>
      minimal === undefined ? answer : withForm(request, answer)

    type Exchange = DirectExchange<HttpApiEndpoint.Errors<typeof endpoint>>

    const answer = (request: IncomingMessage, body: ReturnType<typeof read>) =>
      asKey(
        request,
        secretOf(request),
        Effect.fnUntraced(function* (key) {
          const paid = yield* body
          const caller = yield* Effect.fromResult(callerOf(request.headers, key))
          return yield* forecast({
            request: paid,
            ...caller,
            onWasted: (forecasts) => limits.countWasted(key.id, forecasts)
          }).pipe(
            Effect.flatMap(noted),
            Effect.map((answer) => shown(request, answer)),
            // A charge is logged even if the client has disconnected.
            Effect.uninterruptible
          )
        })
      )

    const runAlone = ({ request, run }: Exchange, body = read(request)) => run(answer(request, body))

    /** Answers together with others what needs no turn, and what has to wait or to be explained by itself. */
    const answerTogether = (exchange: Exchange, secret: KnownSecret) => {
      const { later, request, state } = exchange
      const text = textAtHand(request)
      if (text === undefined) return runAlone(exchange)
      const paid = decode(request, text)
      const body = Effect.fromResult(paid)
      const retry = retryOf(request.headers)
      if (Result.isFailure(retry) || (Result.isSuccess(paid) && !paid.success.isQuick)) return runAlone(exchange, body)
      const takeBack = quickly(secret, paid, {
        idempotency: retry.success,
        admit: () => limits.countAgain(secret.bucket),
        onEnd: (charged, found) => {
          if (Exit.isSuccess(charged) && found !== undefined && Result.isSuccess(found)) {
            state.keyPrefix = found.success.secretPrefix
            const headers = noteChargeOf(state, charged.value)
            return respond.send(shown(request, { json: charged.value.answer, headers }))
          }
          const answered = Effect.map(Effect.flatMap(charged, noted), (answer) => shown(request, answer))
          respond.run(found === undefined ? answered : asFound(request, secret, found, answered))
        }
      })
      if (takeBack === undefined) return runAlone(exchange, body)
      const respond = later(takeBack)
    }

    return directEndpoint(
      endpoint,
      (exchange) => {
        const { isSampled, request } = exchange
        const isAlone = isSampled || !isDeclared(request, accepted)
        const secret = isAlone ? undefined : known(request)
        if (secret === undefined) runAlone(exchange)
        else if (hasArrived(request)) answerTogether(exchange, secret)
        else request.once("readable", () => answerTogether(exchange, secret))
      },
      operation.isDeprecated === true ? { headers: deprecated } : {}
    )
  })
})
