import { Context, Effect, Latch, Layer } from "effect"

/** How long requests in flight are waited for before the service stops. */
const patience = "7 seconds"

/** Lets the requests in flight finish before the service stops, and none begin. */
export class Draining extends Context.Service<
  Draining,
  {
    readonly isDraining: () => boolean
    /** Counts an effect as a request in flight while it runs. */
    readonly inFlight: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** From now on no request begins; returns when none is in flight, or after 7 seconds. */
    readonly drain: Effect.Effect<void>
  }
>()("outreach-forecast/http/Draining") {
  static readonly layer = Layer.sync(Draining, () => {
    let draining = false
    let count = 0
    const idle = Latch.makeUnsafe(true)
    return Draining.of({
      isDraining: () => draining,
      inFlight: (effect) =>
        Effect.suspend(() => {
          count++
          idle.closeUnsafe()
          return Effect.ensuring(
            effect,
            Effect.sync(() => {
              count--
              if (count === 0) idle.openUnsafe()
            })
          )
        }),
      drain: Effect.suspend(() => {
        draining = true
        return Effect.ignore(Effect.timeout(idle.await, patience))
      })
    })
  })
}
