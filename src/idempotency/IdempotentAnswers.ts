import { Context, Effect, Layer } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import { dayLength } from "../text/Times.ts"

/** Identifies a request and its retries. */
export interface IdempotentRequest {
  /** The owner of the idempotency keys: the ID of an API key, or the address of a caller without one. */
  readonly scope: string
  /** Method and path. */
  readonly operation: string
  /** The Idempotency-Key that the caller chose. */
  readonly key: string
  /** The SHA-256 of the decoded request: equal for requests with the same meaning, however they are spelled. */
  readonly fingerprint: string
}

/** The answer to a request, kept for retries; milliseconds UTC. */
export interface IdempotentAnswer extends IdempotentRequest {
  readonly answer: string
  readonly createdAt: number
}

/** The lifetime of a stored answer, in milliseconds. */
export const answerLifetime = dayLength

/** The store of answers to requests with an Idempotency-Key. */
export class IdempotentAnswers extends Context.Service<
  IdempotentAnswers,
  {
    /** For each request, in order, the answer stored for its scope, operation and key after `since`, if any. */
    readonly find: (
      requests: ReadonlyArray<IdempotentRequest>,
      since: number
    ) => Effect.Effect<ReadonlyArray<IdempotentAnswer | undefined>>
    /** Stores answers; each replaces an older one for the same scope, operation and key. */
    readonly put: (answers: ReadonlyArray<IdempotentAnswer>) => Effect.Effect<void>
  }
>()("outreach-forecast/idempotency/IdempotentAnswers") {
  static readonly layerMemory = Layer.effect(
    IdempotentAnswers,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const answers = tables.table<IdempotentAnswer>("idempotent_answers")
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
