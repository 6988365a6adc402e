import { Clock, DateTime, Duration, Effect, Option, Predicate, Random, Result, Schedule } from "effect"
import { type Answer, exchange, largestAnswer, type Outgoing } from "./Exchange.ts"
import { type Failure, Lost, Refused, TimedOut, Unreadable } from "./Failures.ts"
import { lossOf, reasonOf } from "./Loss.ts"

const parseJson = (text: string): Result.Result<unknown, unknown> => Result.try((): unknown => JSON.parse(text))

/** The wait that a Retry-After header asks for, in seconds; its value is a number of seconds or a date (RFC 9110). */
const secondsOf = (retryAfter: string, now: number): number | undefined => {
  if (/^[0-9]+$/.test(retryAfter)) return Number(retryAfter)
  // JavaScript parses almost any text as some date.
  if (!retryAfter.endsWith(" GMT")) return undefined
  const date = Option.getOrUndefined(DateTime.make(retryAfter))
  return date && Math.max(0, date.epochMilliseconds - now) / 1000
}

/**
 * The JSON object of a success. It is not validated: an answer that was paid for must not be lost because a newer
 * service returns more fields.
 */
const read = Effect.fnUntraced(function* ({
  headers,
  status,
  text
}: Answer): Effect.fn.Return<object, Refused | Unreadable> {
  if (text === undefined) return yield* new Unreadable({ reason: `is larger than ${largestAnswer} MiB` })
  const json = parseJson(text)
  if (status < 200 || status > 299) {
    const retryAfter = secondsOf(headers.get("retry-after") ?? "", yield* Clock.currentTimeMillis)
    return yield* new Refused({ status, headers, retryAfter, body: Result.getOrElse(json, () => text) })
  }
  if (Result.isSuccess(json) && Predicate.isObject(json.success)) return json.success
  return yield* new Unreadable({ reason: "is no JSON object" })
})

const failureOf = (cause: unknown): Lost | Unreadable => {
  const loss = lossOf(cause)
  return loss === "unreadable"
    ? new Unreadable({ reason: `cannot be read: ${reasonOf(cause)}` })
    : new Lost({ loss, cause })
}

const attempt = (outgoing: Outgoing): Effect.Effect<object, Exclude<Failure, TimedOut>> =>
  Effect.tryPromise({
    try: (signal) => exchange(outgoing, signal),
    catch: failureOf
  }).pipe(Effect.flatMap(read))

const isRepeated = (failure: Failure, isRepeatable: boolean): boolean =>
  (failure instanceof Refused || failure instanceof Lost) && failure.isPassing && (isRepeatable || failure.isUndone)

const firstPause = Duration.millis(500)
const longestPause = Duration.seconds(8)

/** Between half of a pause and all of it, at random, so that clients that failed together do not retry together. */
const jittered = (pause: Duration.Duration): Effect.Effect<Duration.Duration> =>
  Effect.map(Random.nextBetween(0.5, 1), (part) => Duration.times(pause, part))

/** How a request is retried. */
export interface Repeats {
  /** The largest number of retries. */
  readonly maxRetries: number
  /** Whether it is safe to retry a request that may have been carried out. */
  readonly isRepeatable: boolean
}

/**
 * When a failed attempt is retried: after the pause that the service asks for, or else with exponential backoff and
 * jitter. There is no retry if the pause would end after the deadline.
 */
const schedule = ({ isRepeatable, maxRetries }: Repeats, deadline: number) =>
  Schedule.exponential(firstPause).pipe(
    Schedule.setInputType<Failure>(),
    Schedule.modifyDelay(({ duration, input }) => {
      const seconds = input instanceof Refused ? input.retryAfter : undefined
      return seconds === undefined
        ? jittered(Duration.min(duration, longestPause))
        : Effect.succeed(Duration.seconds(seconds))
    }),
    Schedule.while(
      ({ attempt, duration, input, now }) =>
        attempt <= maxRetries && isRepeated(input, isRepeatable) && now + Duration.toMillis(duration) < deadline
    )
  )

/** Sends a request, with retries, for at most `seconds` in total. */
export const attempts = (outgoing: Outgoing, repeats: Repeats, seconds: number): Effect.Effect<object, Failure> =>
  Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => Effect.retry(attempt(outgoing), schedule(repeats, now + seconds * 1000))),
    Effect.timeoutOrElse({ duration: Duration.seconds(seconds), orElse: () => new TimedOut({ seconds }) })
  )
