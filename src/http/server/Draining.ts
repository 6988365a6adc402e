import { Context, Effect, Latch, Layer } from "effect"
import { Settings } from "../../Settings.ts"

/** How long requests in flight are waited for before the service stops, in milliseconds. */
const gracePeriod = 7000

/** How long no request must have come before the listener closes: those on their way get an answer. */
const quiet = 300

/** How long requests that keep coming are waited for, in milliseconds. */
const longestQuiet = 2000

/** Real time, also where a test has a clock of its own: a shutdown waits for clients, who have none. */
const pause = (millis: number) =>
  Effect.callback<void>((resume) => {
    const timer = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(timer))
  })

/** Lets load balancers look elsewhere and the requests in flight finish before the service stops; then refuses new ones. */
export class Draining extends Context.Service<
  Draining,
  {
    /** True from the beginning: the service is not ready, and each answer is the last of its connection. */
    readonly isDraining: () => boolean
    /** True once new requests are refused. */
    readonly isRefusing: () => boolean
    /** Waits until new requests are refused. */
    readonly refusing: Effect.Effect<void>
    /**
     * Counts a request as in flight until the returned function is called, which is done once, after its response. A
     * request that is refused is not counted: clients that retry do not delay the shutdown.
     */
    readonly enter: () => () => void
    /**
     * Answers requests for DRAIN_SECONDS more, and refuses new ones from then on. Returns when none is in flight and none
     * has come for a while, or after 2 seconds if they keep coming, and in any case after 7 seconds.
     */
    readonly drain: Effect.Effect<void>
  }
>()("outreach-forecast/http/Draining") {
  static readonly layer = Layer.effect(
    Draining,
    Effect.map(Settings, ({ drainSeconds }) => {
      let draining = false
      let isRefusing = false
      const refusing = Latch.makeUnsafe()
      let count = 0
      let arrived = 0
      const idle = Latch.makeUnsafe(true)
      const untilQuiet: Effect.Effect<void> = Effect.suspend(() => {
        const before = arrived
        return Effect.flatMap(pause(quiet), () => (arrived === before ? Effect.void : untilQuiet))
      })
      const refuse = Effect.suspend(() => {
        isRefusing = true
        refusing.openUnsafe()
        return Effect.raceFirst(untilQuiet, pause(longestQuiet)).pipe(
          Effect.andThen(idle.await),
          Effect.raceFirst(pause(gracePeriod))
        )
      })
      return Draining.of({
        isDraining: () => draining,
        isRefusing: () => isRefusing,
        refusing: refusing.await,
        enter: () => {
          arrived++
          if (isRefusing) return () => {}
          count++
          idle.closeUnsafe()
          return () => {
            count--
            if (count === 0) idle.openUnsafe()
          }
        },
        drain: Effect.suspend(() => {
          draining = true
          return Effect.andThen(pause(drainSeconds * 1000), refuse)
        })
      })
    })
  )
}
