import { Context, Effect, Layer } from "effect"
import type { Assumptions } from "../campaign/Assumptions.ts"
import type { Overloaded } from "../Limits.ts"
import type { Computation } from "../workers/Computation.ts"
import { takeAllSteps } from "../workers/Steps.ts"
import { type Caller, WorkerPool } from "../workers/WorkerPool.ts"
import * as computations from "./computations.ts"
import type { Forecast } from "./ForecastAnswer.ts"
import type { LegacyForecast } from "./LegacyForecast.ts"

/** The turn that a computation of milliseconds waits for. One of microseconds waits for nothing, and needs no turn. */
export interface Turn<E> {
  /** The caller whose turn it is. Keys that wait take turns; all clients without one together have those of one key. */
  readonly of: Caller
  /** Runs when the first turn has come, before the computation; its failure ends the turn. */
  readonly admit: Effect.Effect<void, E>
  /** Runs at the end of each turn, with the milliseconds that the computation took in it. */
  readonly spend?: (millis: number) => Effect.Effect<void>
}

/**
 * Answers a request. Always the same answer to the same request, and no failure of its own except Overloaded if too many
 * computations wait for the turn of the same key, or of all clients without one. Interruptible while it waits for it.
 */
type Compute<I, A> = <E>(request: I, turn: Turn<E>) => Effect.Effect<A, E | Overloaded>

/**
 * Computes forecasts: from decoded requests to answers. Knows what a computation takes, and where it runs; `Forecasts`
 * sells its answers.
 */
export class Forecaster extends Context.Service<
  Forecaster,
  {
    readonly forecast: Compute<Assumptions, Forecast>
    /** A forecast with a campaign score and a risk level. */
    readonly legacy: Compute<Assumptions, LegacyForecast>
    /** Answers a request by another computation: in place, or in a thread if it takes long. */
    readonly answer: <I, A, E>(
      computation: Computation<I, A, never>,
      takesLong: boolean,
      request: I,
      turn: Turn<E>
    ) => Effect.Effect<A, E | Overloaded>
    /** Runs a computation that uses forecasts, such as that of a page, at most 100 ms in a turn. */
    readonly compute: <I, A, E, S, F>(
      computation: Computation<I, A, E, S>,
      input: I,
      turn: Turn<F>
    ) => Effect.Effect<A, E | F | Overloaded>
  }
>()("outreach-forecast/forecast/Forecaster") {
  /** Computes in place what takes microseconds, and in a thread what takes milliseconds. */
  static readonly layer = Layer.effect(
    Forecaster,
    Effect.gen(function* () {
      const pool = yield* WorkerPool

      const compute = Effect.fnUntraced(function* <I, A, E, S, F>(
        computation: Computation<I, A, E, S>,
        input: I,
        { admit, of, spend }: Turn<F>
      ) {
        const next = yield* pool.begin(of, computation, input)
        let admitted: Effect.Effect<void, F> = admit
        for (;;) {
          const { done, value } = yield* next((piece) =>
            Effect.andThen(admitted, piece).pipe(Effect.tap(({ millis }) => spend?.(millis) ?? Effect.void))
          )
          if (done) return value
          admitted = Effect.void
        }
      }, Effect.scoped)

      const answer: Forecaster["Service"]["answer"] = (computation, takesLong, request, turn) =>
        takesLong ? compute(computation, request, turn) : inPlace(computation)(request)

      return Forecaster.of({
        forecast: (request, turn) => answer(computations.forecasting, learns(request), request, turn),
        legacy: (request, turn) => answer(computations.legacyForecasting, learns(request), request, turn),
        answer,
        compute
      })
    })
  )

  /** Computes everything in the thread of its caller. */
  static readonly layerPure = Forecaster.layer.pipe(Layer.provide(WorkerPool.layerMemory))
}

/** True if rates are learned from past campaigns, which takes milliseconds. */
export const learns = ({ history }: Assumptions): boolean => history !== undefined

const inPlace =
  <I, A>({ steps }: Computation<I, A, never>) =>
  (request: I): Effect.Effect<A> =>
    Effect.suspend(() => Effect.fromResult(takeAllSteps(steps(request))))
