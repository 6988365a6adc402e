import { Effect } from "effect"
import { Overloaded } from "../problems/HttpFailures.ts"

/** Creates a gate that runs at most `most` effects at a time; while it is full, it fails with Overloaded. */
export const makeGate = (most: number) => {
  let running = 0
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | Overloaded, R> => {
      if (running >= most) return Effect.fail(new Overloaded())
      running++
      return Effect.ensuring(
        effect,
        Effect.sync(() => running--)
      )
    })
}
