import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import * as BackgroundJob from "../BackgroundJob.ts"
import { AnswerStore, type IdempotentRequest } from "./AnswerStore.ts"

/** How long an answer is kept, in milliseconds. */
const lifetime = 24 * 3_600_000

/** The first request with this Idempotency-Key is not answered yet; a retry gets its answer. */
export class IdempotencyInProgress extends Schema.TaggedError<IdempotencyInProgress>()("IdempotencyInProgress", {}) {}

/** The Idempotency-Key was sent before, with a request that says something else. */
export class IdempotencyMismatch extends Schema.TaggedError<IdempotencyMismatch>()("IdempotencyMismatch", {}) {}

/** What became of a request that was sent before: the same answer again, or a refusal. */
export type Recalled = Result.Result<string, IdempotencyMismatch>

/** Keeps the answer to a request; done in the transaction of what it answers, which its failure undoes. */
export type Keep = (answer: string) => Effect.Effect<void, IdempotencyInProgress>

/** Answers a request that is sent again as it was answered first, for 24 hours. Failures are not kept. */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Answers a request that can come again: as before where it was answered, else by `perform`, which has to `keep` its
     * answer. `keep` fails with IdempotencyInProgress where another process has answered meanwhile. Without a request
     * nothing is recalled or kept.
     */
    readonly once: <E, R>(
      request: IdempotentRequest | undefined,
      perform: (keep: Keep) => Effect.Effect<string, E, R>
    ) => Effect.Effect<
      { readonly answer: string; readonly isReplay: boolean },
      E | IdempotencyInProgress | IdempotencyMismatch,
      R
    >
    /** Runs an effect for a request, unless one runs for the same scope, operation and key. */
    readonly exclusively: <A, E, R>(
      request: IdempotentRequest,
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | IdempotencyInProgress, R>
    /** What was answered before, for those of the requests that were. */
    readonly recall: (
      requests: ReadonlyArray<IdempotentRequest>
    ) => Effect.Effect<ReadonlyMap<IdempotentRequest, Recalled>>
    /** Keeps answers, in the caller's transaction. */
    readonly keep: (answers: ReadonlyArray<readonly [IdempotentRequest, string]>) => Effect.Effect<void>
    /** Deletes answers whose time is over. */
    readonly purge: Effect.Effect<void>
  }
>()("outreach-forecast/credits/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* AnswerStore
      const running = new Set<string>()
      const oldest = Effect.map(Clock.currentTimeMillis, (now) => now - lifetime)

      const exclusively = <A, E, R>({ key, operation, scope }: IdempotentRequest, effect: Effect.Effect<A, E, R>) =>
        Effect.suspend((): Effect.Effect<A, E | IdempotencyInProgress, R> => {
          const id = `${scope} ${operation} ${key}`
          if (running.has(id)) return Effect.fail(new IdempotencyInProgress())
          running.add(id)
          return Effect.ensuring(
            effect,
            Effect.sync(() => running.delete(id))
          )
        })

      const recall = Effect.fnUntraced(function* (requests: ReadonlyArray<IdempotentRequest>) {
        const recalled = new Map<IdempotentRequest, Recalled>()
        if (requests.length === 0) return recalled
        const stored = yield* store.find(requests, yield* oldest)
        requests.forEach((request, i) => {
          const found = stored[i]
          if (found === undefined) return
          const isSame = found.fingerprint === request.fingerprint
          recalled.set(request, isSame ? Result.succeed(found.answer) : Result.fail(new IdempotencyMismatch()))
        })
        return recalled
      })

      const keep = Effect.fnUntraced(function* (answers: ReadonlyArray<readonly [IdempotentRequest, string]>) {
        if (answers.length === 0) return
        const createdAt = yield* Clock.currentTimeMillis
        yield* store.put(answers.map(([request, answer]) => ({ ...request, answer, createdAt })))
      })

      const fresh = <E, R>(performed: Effect.Effect<string, E, R>) =>
        Effect.map(performed, (answer) => ({ answer, isReplay: false }))

      const recallOr = Effect.fnUntraced(function* <E, R>(
        request: IdempotentRequest,
        perform: (keep: Keep) => Effect.Effect<string, E, R>
      ) {
        const recalled = (yield* recall([request])).get(request)
        if (recalled !== undefined) return { answer: yield* Effect.fromResult(recalled), isReplay: true }
        const keepUnlessKept = Effect.fnUntraced(function* (answer: string) {
          if ((yield* recall([request])).size > 0) return yield* new IdempotencyInProgress()
          yield* keep([[request, answer]])
        })
        return yield* fresh(perform(keepUnlessKept))
      })

      return Idempotency.of({
        once: (request, perform) =>
          request === undefined ? fresh(perform(() => Effect.void)) : exclusively(request, recallOr(request, perform)),
        exclusively,
        recall,
        keep,
        purge: oldest.pipe(
          Effect.flatMap((since) => store.purge(since)),
          Effect.repeat({ while: (deleted) => deleted > 0 }),
          Effect.asVoid
        )
      })
    })
  )
}

/** Deletes expired answers each minute while the scope is open. */
export const purging = BackgroundJob.layer({
  name: "purge answers",
  run: Effect.flatMap(Idempotency, ({ purge }) => purge),
  every: "1 minute"
})
