import { Effect } from "effect"
import type { ActiveRequest } from "../server/Sending.ts"

/**
 * Answers requests whose answers take long to make, each in a fiber of its own: the batches go on meanwhile. What answers
 * a request is uninterruptible but for the parts that it says can be interrupted, which are where the caller goes away.
 */
export const makeLongAnswers = Effect.map(Effect.scope, (scope) => {
  const begun = new WeakSet<ActiveRequest>()
  return {
    /** Whether a request is answered here. */
    has: (active: ActiveRequest): boolean => begun.has(active),

    /** Begins to answer a request. */
    begin: (active: ActiveRequest, answering: Effect.Effect<void>): Effect.Effect<void> =>
      Effect.suspend(() => {
        begun.add(active)
        return answering.pipe(
          Effect.uninterruptible,
          // Before its first step a fiber can be interrupted, and would not note its end.
          Effect.forkIn(scope, { startImmediately: true }),
          Effect.map((fiber) => {
            const { response } = active
            const leave = () => fiber.interruptUnsafe()
            if (response.destroyed) leave()
            response.once("close", leave)
            fiber.addObserver(() => response.off("close", leave))
          })
        )
      })
  }
})
