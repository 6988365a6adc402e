import { Cause, Effect, Exit, Predicate, Redacted } from "effect"
import { attempts } from "./Attempts.ts"
import type { CallOptions } from "./ClientOptions.ts"
import { checkHeaderValue, type ClientSettings } from "./ClientSettings.ts"
import type { Failure } from "./Failures.ts"
import { keyHeader, routes } from "./Routes.ts"
import { toError } from "./toError.ts"
import type { Operation, Success } from "./Wire.ts"

interface Call extends CallOptions {
  readonly body?: object
  readonly query?: Readonly<Record<string, string>>
  readonly idempotencyKey?: string
  /** Whether it is safe to do twice; true if left out. */
  readonly isRepeatable?: boolean
}

/** JSON would turn NaN and Infinity into null, which means that the value was left out. */
const refuseNonFinite = (name: string, value: unknown): unknown => {
  if (Predicate.isNumber(value) && !Number.isFinite(value)) throw new TypeError(`${name} must be a finite number`)
  return value
}

const unwrap = <A>(exit: Exit.Exit<A, Failure>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  const reason = exit.cause.reasons.find(Cause.isFailReason)
  throw reason === undefined ? Cause.squash(exit.cause) : toError(reason.error)
}

/**
 * Calls an operation of the service and returns its answer. Rejects with an `ApiError`, `ConnectionError`,
 * `TimeoutError` or `InvalidResponseError`, and with a TypeError if the request cannot be encoded.
 */
export const call = async <Name extends Operation>(
  { apiKey, baseUrl, maxRetries, timeoutSeconds }: ClientSettings,
  name: Name,
  { body, idempotencyKey, isRepeatable = true, query = {}, signal }: Call
): Promise<Success<Name>> => {
  signal?.throwIfAborted()
  const { method, path } = routes[name]
  const search = new URLSearchParams(query).toString()
  const outgoing = {
    url: `${baseUrl}${path}${search === "" ? "" : `?${search}`}`,
    method,
    headers: {
      accept: "application/json",
      [keyHeader]: Redacted.value(apiKey),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(idempotencyKey === undefined
        ? {}
        : { "idempotency-key": checkHeaderValue("The idempotency key", idempotencyKey) })
    },
    body: body === undefined ? null : JSON.stringify(body, refuseNonFinite)
  }
  // The error is created here, so that its stack trace leads to the caller.
  const exit = await Effect.runPromiseExit(attempts(outgoing, { maxRetries, isRepeatable }, timeoutSeconds), {
    signal
  })
  if (Exit.hasInterrupts(exit)) signal?.throwIfAborted()
  // The service's tests check its answers against the declaration; see `read` for why the client does not.
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
  return unwrap(exit) as Success<Name>
}
