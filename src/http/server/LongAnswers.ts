import { Effect } from "effect"
import { Overloaded } from "../problems/HttpFailures.ts"
import type { ActiveRequest } from "./Sending.ts"

/** How many requests whose answers take long may be in flight. */
const mostInFlight = 100

/**
 * Answers requests whose answers take long to make, each in a fiber of its own: the batches go on meanwhile. What answers
 * a request is uninterruptible but for the parts that it says can be interrupted, which are where the caller goes away.
 */
export const makeLongAnswers = Effect.map(Effect.scope, (scope) => {
  const begun = new WeakSet<ActiveRequest>()
  let inFlight = 0
  return {
    /** Whether a request is answered here. */
    has: (active: ActiveRequest): boolean => begun.has(active),

    /** Begins to answer a request, at most 100 at a time. */
    begin: (active: ActiveRequest, answering: Effect.Effect<void>): Effect.Effect<void, Overloaded> =>
      Effect.suspend(() => {
        if (inFlight >= mostInFlight) return Effect.fail(new Overloaded())
        inFlight++
        begun.add(active)
        return answering.pipe(
          Effect.ensuring(Effect.sync(() => inFlight--)),
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
