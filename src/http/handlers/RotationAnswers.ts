import { Cache, Context, Effect, Layer, Option, Redacted } from "effect"
import type { IdempotentRequest } from "../../credits/AnswerStore.ts"

/** How long the answer to a rotation can be given again. */
const lifetime = "10 minutes"

/** How many such answers are kept; then the oldest go first. */
const mostKept = 1000

const idOf = ({ key, scope }: IdempotentRequest) => `${scope} ${key}`

/**
 * The answers to rotations with an Idempotency-Key, for those who did not receive them. They contain a secret, which the
 * database must not: this process keeps them in memory, for a few minutes, and no other instance has them.
 */
export class RotationAnswers extends Context.Service<
  RotationAnswers,
  {
    readonly keep: (request: IdempotentRequest, answer: string) => Effect.Effect<void>
    readonly find: (request: IdempotentRequest) => Effect.Effect<Option.Option<string>>
  }
>()("outreach-forecast/http/RotationAnswers") {
  static readonly layer = Layer.effect(
    RotationAnswers,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const answers = yield* Cache.make<string, Redacted.Redacted>({
        capacity: mostKept,
        // Answers are only set.
        lookup: () => Effect.never
      })
      return RotationAnswers.of({
        keep: Effect.fnUntraced(function* (request, answer) {
          yield* Cache.set(answers, idOf(request), Redacted.make(answer))
          yield* Effect.forkIn(Effect.delay(Cache.invalidate(answers, idOf(request)), lifetime), scope)
        }),
        find: (request) =>
          Effect.map(Cache.getOption(answers, idOf(request)), (found) => Option.map(found, Redacted.value))
      })
    })
  )
}
