import type { Answered, AnswerInfo } from "./Answered.ts"
import { attempts } from "./Attempts.ts"
import { checkHeaderValue, checkLimits, type ClientSettings } from "./ClientSettings.ts"
import type { ForecastOptions } from "./ClientOptions.ts"
import { APITimeoutError, InvalidArgumentError } from "./OutreachForecastError.ts"
import { toError } from "./toError.ts"

interface Call extends ForecastOptions {
  readonly body?: object
  readonly query?: Readonly<Record<string, string>>
  /** True, the default, if it is safe to do twice. */
  readonly isRepeatable?: boolean
}

/** JSON would turn NaN and Infinity into null, which means that the value was left out. */
const refuseNonFinite = (name: string, value: unknown): unknown => {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new InvalidArgumentError(`${name} must be a finite number`)
  return value
}

const checkIdempotencyKey = (key: string): string => {
  if (key.length > 255) throw new InvalidArgumentError("The idempotency key must have at most 255 characters")
  return checkHeaderValue("The idempotency key", key)
}

/** Adds the headers and the request ID to a response. */
const answered = <Answer extends object>(answer: object, headers: Headers): Answered<Answer> => {
  const info: AnswerInfo = { requestId: headers.get("x-request-id") ?? undefined, headers }
  for (const [name, value] of Object.entries(info)) Object.defineProperty(answer, name, { value })
  // The service's tests check its responses against the OpenAPI document; see `attempt` for why the client does not.
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
  return answer as Answered<Answer>
}

/**
 * Calls an operation of the service and returns its response. Rejects with an `OutreachForecastError`.
 */
export const call = async <Answer extends object>(
  settings: ClientSettings,
  operation: `${"GET" | "POST" | "PATCH" | "DELETE"} /api/v1/${string}`,
  { body, idempotencyKey, isRepeatable = true, query, signal, ...limits }: Call
): Promise<Answered<Answer>> => {
  const { apiKey, baseUrl, fetch = globalThis.fetch } = settings
  const { maxRetries, timeout } = checkLimits({
    timeout: limits.timeout ?? settings.timeout,
    maxRetries: limits.maxRetries ?? settings.maxRetries
  })
  const [method = "", path] = operation.split(" ")
  const outgoing = {
    url: `${baseUrl}${path}${query === undefined ? "" : `?${new URLSearchParams(query).toString()}`}`,
    method,
    headers: {
      accept: "application/json",
      "x-api-key": apiKey,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": checkIdempotencyKey(idempotencyKey) })
    },
    body: body === undefined ? null : JSON.stringify(body, refuseNonFinite)
  }
  signal?.throwIfAborted()
  const late = AbortSignal.timeout(Math.ceil(timeout * 1000))
  const ended = signal === undefined ? late : AbortSignal.any([signal, late])
  const outcome = await attempts(outgoing, { fetch, timeout, maxRetries, isRepeatable, signal: ended })
  if (outcome.kind === "answer") return answered(outcome.body, outcome.headers)
  // The errors are created here, so that their stack traces lead to the caller.
  signal?.throwIfAborted()
  throw late.aborted ? new APITimeoutError(`There was no response within ${timeout} s`) : toError(outcome)
}
