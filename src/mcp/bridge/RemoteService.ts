import { Duration, Effect, Option, Predicate, Redacted, Schema } from "effect"

/** The address of the service, and the key for calls. */
export interface Remote {
  /** Its address, without a trailing slash. */
  readonly baseUrl: string
  readonly key: Option.Option<Redacted.Redacted>
}

/** The answer to a message: `text` is a message of the protocol, or empty. */
export interface RemoteAnswer {
  readonly text: string
  /** The service's ID for the requests of this client. */
  readonly session: string | undefined
}

/** The service gave no valid answer; the message says why, and what to do. */
export class NotAnswered extends Schema.TaggedError<NotAnswered>()("NotAnswered", {
  message: Schema.String,
  /** The seconds after which a retry may succeed, if it may. */
  retryAfter: Schema.Option(Schema.Finite)
}) {}

/** The timeout of an attempt, and the longest wait that a service may ask for. */
const attemptTime = Duration.seconds(60)
const longestWait = 5

const soon = Option.some(0.2)

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return "code" in cause && Predicate.isString(cause.code) ? cause.code : cause.message
}

const unreachable = (baseUrl: string, reason: string) =>
  new NotAnswered({
    message: `${baseUrl} cannot be reached (${reason}). Is the service running, and is --base-url correct?`,
    retryAfter: soon
  })

const decodeProblem = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ detail: Schema.String, retryable: Schema.Boolean }))
)

/** The meaning of an answer that is not a protocol message. */
const refusal = (baseUrl: string, { headers, status }: Response, text: string) =>
  Option.match(decodeProblem(text), {
    onNone: () =>
      new NotAnswered({
        message: `${baseUrl} answered ${status}, but not as an Outreach Forecast service would. Is --base-url correct?`,
        retryAfter: status >= 500 ? soon : Option.none()
      }),
    onSome: ({ detail, retryable }) =>
      new NotAnswered({
        message: detail,
        retryAfter: retryable ? Option.some(Number(headers.get("retry-after") ?? 0.2)) : Option.none()
      })
  })

const isOfProtocol = ({ headers, status }: Response) =>
  status === 202 || headers.get("content-type")?.startsWith("application/json") === true

/** Sends a message once. */
const attempt = ({ baseUrl, key }: Remote, text: string, headers: Readonly<Record<string, string>>) =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(`${baseUrl}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...Option.match(key, { onNone: () => ({}), onSome: (key) => ({ "x-api-key": Redacted.value(key) }) }),
          ...headers
        },
        body: text,
        // Do not send the key to another address by a redirect.
        redirect: "manual",
        signal
      })
      return { response, text: await response.text() }
    },
    catch: (error) => unreachable(baseUrl, reasonOf(error))
  }).pipe(
    Effect.timeoutOrElse({
      duration: attemptTime,
      orElse: () => Effect.fail(unreachable(baseUrl, "no answer within 60 seconds"))
    }),
    Effect.flatMap(({ response, text }) =>
      isOfProtocol(response)
        ? Effect.succeed<RemoteAnswer>({ text, session: response.headers.get("mcp-session-id") ?? undefined })
        : Effect.fail(refusal(baseUrl, response, text))
    )
  )

/** Sends a message, up to four times if it may succeed later: a repeated call of a tool is charged only once. */
export const send = (...message: Parameters<typeof attempt>): Effect.Effect<RemoteAnswer, NotAnswered> =>
  attempt(...message).pipe(
    Effect.tapError(({ retryAfter }) =>
      Effect.sleep(
        Duration.seconds(
          Math.min(
            longestWait,
            Option.getOrElse(retryAfter, () => 0)
          )
        )
      )
    ),
    Effect.retry({
      times: 3,
      while: ({ retryAfter }) => Option.exists(retryAfter, (seconds) => seconds <= longestWait)
    })
  )
