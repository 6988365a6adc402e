import { Context, Effect, Latch, Layer } from "effect"
import { Settings } from "../../Settings.ts"

/** The longest wait for requests in flight before the service stops, in milliseconds. */
const gracePeriod = 7000

/** The time without a new request after which the listener closes, so that requests on their way are answered. */
const usualQuiet = 300

/** The longest wait while requests keep arriving, in milliseconds. */
const longestQuiet = 2000

/** Waits in real time, even with a test clock: a shutdown waits for real clients. */
const pause = (millis: number) =>
  Effect.callback<void>((resume) => {
    const timer = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(timer))
  })

/** Before the service stops, gives load balancers time to notice and requests time to finish; then refuses new ones. */
export class Draining extends Context.Service<
  Draining,
  {
    /**
     * True from the start of the shutdown: the service is not ready, and each response is the last of its connection.
     */
    readonly isDraining: () => boolean
    /** True once new requests are refused. */
    readonly isRefusing: () => boolean
    /** Waits until new requests are refused. */
    readonly refusing: Effect.Effect<void>
    /**
     * Counts a request, or other work, as in flight until the returned function is called, once, after its response. A
     * refused request is not counted: clients that retry do not delay the shutdown.
     */
    readonly enter: () => () => void
    /**
     * Answers requests for another DRAIN_SECONDS, then refuses new ones. Returns when none is in flight and none has
     * arrived for a while, or after 2 seconds if they keep arriving, and in any case after 7 seconds.
     */
    readonly drain: Effect.Effect<void>
  }
>()("outreach-forecast/http/Draining") {
  /** Drains with `quiet` milliseconds without a new request before the listener closes. */
  static readonly layerWith = (quiet: number) =>
    Layer.effect(
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

  static readonly layer = Draining.layerWith(usualQuiet)
}
