import { Context, Effect, Layer } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"

/** Identifies a request and its retries. */
export interface IdempotentRequest {
  /** The owner of the idempotency keys: the ID of an API key, or the address of a caller without one. */
  readonly scope: string
  /** Method and path. */
  readonly operation: string
  /** The Idempotency-Key that the caller chose. */
  readonly key: string
  /** The SHA-256 of the decoded request: the same for the same meaning, however it is spelt. */
  readonly fingerprint: string
}

/** The answer to a request, kept for retries; milliseconds UTC. */
export interface IdempotentAnswer extends IdempotentRequest {
  readonly answer: string
  readonly createdAt: number
}

/** How long an answer is kept, in milliseconds. */
export const answerLifetime = 24 * 3_600_000

/** Where the answers to requests with an Idempotency-Key are kept. */
export class IdempotentAnswers extends Context.Service<
  IdempotentAnswers,
  {
    /** The answer to each request's scope, operation and key, in their order, if one was stored after `since`. */
    readonly find: (
      requests: ReadonlyArray<IdempotentRequest>,
      since: number
    ) => Effect.Effect<ReadonlyArray<IdempotentAnswer | undefined>>
    /** Stores answers, each in place of an older one to the same scope, operation and key. */
    readonly put: (answers: ReadonlyArray<IdempotentAnswer>) => Effect.Effect<void>
  }
>()("outreach-forecast/idempotency/IdempotentAnswers") {
  static readonly layerMemory = Layer.effect(
    IdempotentAnswers,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const answers = tables.make<IdempotentAnswer>()
      const idOf = ({ key, operation, scope }: IdempotentRequest) => `${scope} ${operation} ${key}`
      return IdempotentAnswers.of({
        find: (requests, since) =>
          Effect.sync(() =>
            requests.map((request) => {
              const found = answers.get(idOf(request))
              return found !== undefined && found.createdAt > since ? found : undefined
            })
          ),
        put: (given) =>
          Effect.sync(() => {
            for (const answer of given) answers.set(idOf(answer), answer)
          })
      })
    })
  )
}
