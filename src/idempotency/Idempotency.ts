import { Clock, Context, Deferred, Effect, Layer, Predicate, Result, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { answerLifetime, IdempotentAnswers, type IdempotentRequest } from "./IdempotentAnswers.ts"
import { InvalidInput } from "../input/InvalidInput.ts"
import type { Headers } from "../http/RequestHeaders.ts"
import { idempotentReplayed } from "../http/ResponseHeaders.ts"

const keyForm = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key of a request, if any. Fails with InvalidInput unless it is 1 to 255 visible ASCII characters. */
export const idempotencyKey = (headers: Headers): Result.Result<string | undefined, InvalidInput> => {
  const key = headers["idempotency-key"]
  if (key === undefined) return Result.succeed(undefined)
  if (Predicate.isString(key) && keyForm.test(key)) return Result.succeed(key)
  const message = "must be a header of 1 to 255 visible ASCII characters, given once"
  return Result.fail(new InvalidInput({ errors: [{ pointer: "/Idempotency-Key", code: "invalid_format", message }] }))
}

/** The header of a replay. */
export const replayed = idempotentReplayed.of()

/** Creates the key that a form sends with its fields, so that submitting it twice has one effect. */
export const newFormKey = ({ randomBytes }: SecureRandom.SecureRandom["Service"]): Effect.Effect<string> =>
  Effect.map(randomBytes(16), (bytes) => Buffer.from(bytes).toString("base64url"))

/** True if a text looks like such a key. */
export const isFormKey = (text: string): boolean => /^[\w-]{22}$/.test(text)

/** The first request with this Idempotency-Key is still being answered; a retry gets its answer. */
export class IdempotencyInProgress extends Schema.TaggedError<IdempotencyInProgress>()("IdempotencyInProgress", {}) {}

/** The longest wait for an answer in milliseconds: opening a payment and storing its order take less. */
const maxWait = 20_000

/** The time between two looks for the answer of another process, in milliseconds. */
const pollInterval = 100

/** The Idempotency-Key was already used for a different request. */
export class IdempotencyMismatch extends Schema.TaggedError<IdempotencyMismatch>()("IdempotencyMismatch", {}) {}

/** The outcome of a retried request: the first answer, or a refusal. */
export type Replay = Result.Result<string, IdempotencyMismatch>

/** Keeps the answer to a request in the transaction of its effects, which a failure rolls back. */
export type Keep = (answer: string) => Effect.Effect<void, IdempotencyInProgress>

/** Replays the first answer to a retried request, for 24 hours. Failures are not kept. */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Answers a request that may be a retry: with the first answer if there is one, otherwise by `perform`, which must
     * `keep` its answer. `keep` fails with IdempotencyInProgress if another process has answered in the meantime.
     * Without a request, nothing is replayed or kept.
     */
    readonly once: <E, R>(
      request: IdempotentRequest | undefined,
      perform: (keep: Keep) => Effect.Effect<string, E, R>
    ) => Effect.Effect<
      { readonly answer: string; readonly isReplay: boolean },
      E | IdempotencyInProgress | IdempotencyMismatch,
      R
    >
    /**
     * Holds a request, until the returned function is called, while it is being answered; undefined if it is already being
     * answered here.
     */
    readonly hold: (request: IdempotentRequest) => (() => void) | undefined
    /** Answers a request while it is held. Fails with IdempotencyInProgress if it is already being answered here. */
    readonly exclusively: <A, E, R>(
      request: IdempotentRequest | undefined,
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | IdempotencyInProgress, R>
    /**
     * Answers a request of a caller that does not retry: while an equal one is being answered, waits for that, for up
     * to 20 seconds, and tries again. `answer` fails with IdempotencyInProgress meanwhile.
     */
    readonly untilAnswered: <A, E, R>(
      request: IdempotentRequest | undefined,
      answer: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | IdempotencyInProgress, R>
    /** The first answers to the requests that are retries. */
    readonly replays: (
      requests: ReadonlyArray<IdempotentRequest>
    ) => Effect.Effect<ReadonlyMap<IdempotentRequest, Replay>>
    /** Keeps answers, in the caller's transaction. */
    readonly keep: (answers: ReadonlyArray<readonly [IdempotentRequest, string]>) => Effect.Effect<void>
  }
>()("outreach-forecast/idempotency/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotentAnswers
      /** The calls that are being answered here; each ends with its answer or failure. */
      const running = new Map<string, Deferred.Deferred<void>>()
      const oldest = Effect.map(Clock.currentTimeMillis, (now) => now - answerLifetime)

      const idOf = ({ key, operation, scope }: IdempotentRequest) => `${scope} ${operation} ${key}`

      const hold = (request: IdempotentRequest) => {
        const id = idOf(request)
        if (running.has(id)) return undefined
        const ended = Deferred.makeUnsafe<void>()
        running.set(id, ended)
        return () => {
          running.delete(id)
          Deferred.doneUnsafe(ended, Effect.void)
        }
      }

      const exclusively = <A, E, R>(request: IdempotentRequest | undefined, effect: Effect.Effect<A, E, R>) => {
        if (request === undefined) return effect
        return Effect.suspend((): Effect.Effect<A, E | IdempotencyInProgress, R> => {
          const release = hold(request)
          return release === undefined
            ? Effect.fail(new IdempotencyInProgress())
            : Effect.ensuring(effect, Effect.sync(release))
        })
      }

      const untilAnswered = <A, E, R>(request: IdempotentRequest | undefined, answer: Effect.Effect<A, E, R>) => {
        if (request === undefined) return answer
        const id = idOf(request)
        // Nothing says when another process has answered.
        const ended = Effect.suspend(() => {
          const here = running.get(id)
          return here === undefined ? Effect.sleep(pollInterval) : Deferred.await(here)
        })
        return Effect.flatMap(Clock.currentTimeMillis, (since) => {
          const attempt: Effect.Effect<A, E | IdempotencyInProgress, R> = Effect.catchIf(
            answer,
            (failure: E | IdempotencyInProgress) => failure instanceof IdempotencyInProgress,
            (failure) =>
              Effect.flatMap(Clock.currentTimeMillis, (now) => {
                const left = since + maxWait - now
                if (left <= 0) return Effect.fail(failure)
                return Effect.andThen(Effect.timeoutOption(ended, left), attempt)
              })
          )
          return attempt
        })
      }

      const replaysOf = Effect.fnUntraced(function* (requests: ReadonlyArray<IdempotentRequest>) {
        const replays = new Map<IdempotentRequest, Replay>()
        const stored = yield* store.find(requests, yield* oldest)
        requests.forEach((request, i) => {
          const found = stored[i]
          if (found === undefined) return
          const isSame = found.fingerprint === request.fingerprint
          replays.set(request, isSame ? Result.succeed(found.answer) : Result.fail(new IdempotencyMismatch()))
        })
        return replays
      })

      const keep = Effect.fnUntraced(function* (answers: ReadonlyArray<readonly [IdempotentRequest, string]>) {
        const createdAt = yield* Clock.currentTimeMillis
        yield* store.put(answers.map(([request, answer]) => ({ ...request, answer, createdAt })))
      })

      const fresh = <E, R>(performed: Effect.Effect<string, E, R>) =>
        Effect.map(performed, (answer) => ({ answer, isReplay: false }))

      const replayOr = Effect.fnUntraced(function* <E, R>(
        request: IdempotentRequest,
        perform: (keep: Keep) => Effect.Effect<string, E, R>
      ) {
        const replay = (yield* replaysOf([request])).get(request)
        if (replay !== undefined) return { answer: yield* Effect.fromResult(replay), isReplay: true }
        const keepUnlessKept = Effect.fnUntraced(function* (answer: string) {
          if ((yield* replaysOf([request])).size > 0) return yield* new IdempotencyInProgress()
          yield* keep([[request, answer]])
        })
        return yield* fresh(perform(keepUnlessKept))
      })

      return Idempotency.of({
        once: (request, perform) =>
          request === undefined ? fresh(perform(() => Effect.void)) : exclusively(request, replayOr(request, perform)),
        hold,
        exclusively,
        untilAnswered,
        replays: replaysOf,
        keep
      })
    })
  )
}
