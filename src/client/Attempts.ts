import { Clock, DateTime, Duration, Effect, Option, Predicate, Result, Schedule } from "effect"
import { type Answer, exchange, largestAnswer, type Outgoing } from "./Exchange.ts"
import { type Failure, Lost, Refused, TimedOut, Unreadable } from "./Failures.ts"

const parseJson = (text: string): Result.Result<unknown, unknown> => Result.try((): unknown => JSON.parse(text))

/**
 * The JSON object of a success. It is not compared with the declaration: an answer that was paid for must not be lost
 * because a newer service says more in it.
 */
const read = ({ headers, status, text }: Answer): Effect.Effect<object, Refused | Unreadable> => {
  if (text === undefined) return new Unreadable({ reason: `is larger than ${largestAnswer} MiB` })
  const json = parseJson(text)
  if (status < 200 || status > 299) {
    return new Refused({ status, headers, body: Result.getOrElse(json, () => text) })
  }
  return Result.isSuccess(json) && Predicate.isObject(json.success)
    ? Effect.succeed(json.success)
    : new Unreadable({ reason: "is no JSON object" })
}

const attempt = (outgoing: Outgoing): Effect.Effect<object, Exclude<Failure, TimedOut>> =>
  Effect.tryPromise({
    try: (signal) => exchange(outgoing, signal),
    catch: (cause) => new Lost({ cause })
  }).pipe(Effect.flatMap(read))

/** Whether the same request may succeed in a moment. Credits that are used up do not come back by waiting. */
const isPassing = (failure: Failure): boolean => {
  if (!(failure instanceof Refused)) return failure instanceof Lost
  const { code, status } = failure
  if (status === 429) return code === "rate_limited" || code === undefined
  return status >= 500 || (status === 409 && code === "idempotency_in_progress")
}

/** How long the service asks to wait, by seconds or by date (RFC 9110). */
const retryAfter = (failure: Failure, now: number): Option.Option<Duration.Duration> => {
  const text = failure instanceof Refused ? failure.headers.get("retry-after") : null
  if (text === null) return Option.none()
  if (/^[0-9]+$/.test(text)) return Option.some(Duration.seconds(Number(text)))
  return text.endsWith(" GMT")
    ? Option.map(DateTime.make(text), ({ epochMilliseconds }) => Duration.millis(Math.max(0, epochMilliseconds - now)))
    : Option.none()
}

const longestPause = Duration.seconds(8)

/**
 * When a failed attempt is repeated: after the pause that the service asks for, else after a growing one that differs
 * from caller to caller. Not where the pause would end after the deadline: waiting for nothing helps nobody.
 */
const repeats = (maxRetries: number, deadline: number) =>
  Schedule.exponential("250 millis").pipe(
    Schedule.jittered,
    Schedule.setInputType<Failure>(),
    Schedule.modifyDelay(({ duration, input, now }) =>
      Effect.succeed(Option.getOrElse(retryAfter(input, now), () => Duration.min(duration, longestPause)))
    ),
    Schedule.while(
      ({ attempt, duration, input, now }) =>
        attempt <= maxRetries && isPassing(input) && now + Duration.toMillis(duration) < deadline
    )
  )

/** Sends a request until it is answered for good, `maxRetries` times more at the most and for `seconds` in all. */
export const attempts = (outgoing: Outgoing, maxRetries: number, seconds: number): Effect.Effect<object, Failure> =>
  Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => Effect.retry(attempt(outgoing), repeats(maxRetries, now + seconds * 1000))),
    Effect.timeoutOrElse({ duration: Duration.seconds(seconds), orElse: () => new TimedOut({ seconds }) })
  )
