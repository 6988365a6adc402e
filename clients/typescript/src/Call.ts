import type { Answered, AnswerInfo } from "./Answered.ts"
import { attempts } from "./Attempts.ts"
import { checkHeaderValue, checkLimits, type ClientSettings } from "./ClientSettings.ts"
import type { OneForecastOptions } from "./ClientOptions.ts"
import { APITimeoutError, InvalidArgumentError } from "./OutreachForecastError.ts"
import { toError } from "./toError.ts"
import type { Operations } from "./Operations.ts"

/** The parts of a request that an operation determines. */
interface Sent {
  readonly body?: object
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
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

/** The address of an operation below the base URL. */
const addressOf = (template: string, { path = {}, query = {} }: Sent): string => {
  const address = Object.entries(path).reduce(
    (address, [name, value]) => address.replace(`{${name}}`, encodeURIComponent(value)),
    template
  )
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  return given.size === 0 ? address : `${address}?${given.toString()}`
}

/** Calls an operation of the service and returns its response. Rejects with an `OutreachForecastError`. */
export const call = async <O extends keyof Operations>(
  { apiKey, baseUrl, fetch = globalThis.fetch, ...settings }: ClientSettings,
  operation: O,
  sent: Operations[O]["sent"],
  { idempotencyKey, minimal = false, signal, ...limits }: OneForecastOptions
): Promise<Answered<Operations[O]["answer"]>> => {
  const { maxRetries, timeout } = checkLimits({
    timeout: limits.timeout ?? settings.timeout,
    maxRetries: limits.maxRetries ?? settings.maxRetries
  })
  const [method = "", template = ""] = operation.split(" ")
  const parts: Sent = sent
  const outgoing = {
    url: `${baseUrl}${addressOf(template, parts)}`,
    method,
    headers: {
      accept: "application/json",
      "x-api-key": apiKey,
      ...(minimal ? { prefer: "return=minimal" } : {}),
      ...(parts.body === undefined ? {} : { "content-type": "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": checkIdempotencyKey(idempotencyKey) })
    },
    body: parts.body === undefined ? null : JSON.stringify(parts.body, refuseNonFinite)
  }
  // Everything but a POST without an idempotency key can be carried out twice.
  const isRepeatable = method !== "POST" || idempotencyKey !== undefined
  signal?.throwIfAborted()
  const late = AbortSignal.timeout(Math.ceil(timeout * 1000))
  const ended = signal === undefined ? late : AbortSignal.any([signal, late])
  const outcome = await attempts(outgoing, { fetch, timeout, maxRetries, isRepeatable, signal: ended })
  if (outcome.kind === "answer") return answered(outcome.body, outcome.headers)
  // The errors are created here, so that their stack traces lead to the caller.
  signal?.throwIfAborted()
  throw late.aborted
    ? new APITimeoutError(`There was no response from ${baseUrl} within ${timeout} s`)
    : toError(outcome, baseUrl)
}
