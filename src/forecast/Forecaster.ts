import { Context, Effect, Layer } from "effect"
import type { Assumptions } from "../campaign/Assumptions.ts"
import type { Overloaded } from "../Overloaded.ts"
import type { Computation } from "../workers/Computation.ts"
import { WorkerPool } from "../workers/WorkerPool.ts"
import * as computations from "./computations.ts"
import type { Forecast } from "./Forecast.ts"
import type { GoalRequest } from "./goals/GoalRequest.ts"
import type { LegacyForecast } from "./LegacyForecast.ts"
import type { GoalAnswer } from "./goals/Goals.ts"
import type { ProgressAnswer } from "./progress/Progress.ts"
import type { ProgressRequest } from "./progress/ProgressRequest.ts"

/** The turn that a computation of milliseconds waits for. One of microseconds waits for nothing, and needs no turn. */
export interface Turn<E> {
  /** Whose turn it is: a key or a client. All who wait take turns. */
  readonly of: string
  /** Runs when the turn has come, before the computation; its failure ends the turn. */
  readonly admit: Effect.Effect<void, E>
}

/**
 * Answers a request. Always the same answer to the same request, and no failure of its own except Overloaded if 100
 * computations wait for the turn of the same key or client. Interruptible while it waits for its turn.
 */
type Compute<I, A> = <E>(request: I, turn: Turn<E>) => Effect.Effect<A, E | Overloaded>

/** Forecast computation: from decoded requests to answers. Knows what a computation takes, and where it runs. */
export class Forecaster extends Context.Service<
  Forecaster,
  {
    readonly forecast: Compute<Assumptions, Forecast>
    /** A forecast with a campaign score and a risk level. */
    readonly legacy: Compute<Assumptions, LegacyForecast>
    /** What it takes to reach a goal. */
    readonly goal: Compute<GoalRequest, GoalAnswer>
    /** The end of a campaign in flight. */
    readonly progress: Compute<ProgressRequest, ProgressAnswer>
  }
>()("outreach-forecast/forecast/Forecaster") {
  /** Computes in place what takes microseconds, and in a thread what takes milliseconds. */
  static readonly layer = Layer.effect(
    Forecaster,
    Effect.map(WorkerPool, (pool) => {
      const compute =
        <I, A>(computation: Computation<I, A, never>, takesLong: (request: I) => boolean): Compute<I, A> =>
        (request, { admit, of }) =>
          takesLong(request)
            ? pool.compute(of, (run) => Effect.andThen(admit, run(computation, request)))
            : inPlace(computation)(request)

      return Forecaster.of({
        forecast: compute(computations.forecasting, learns),
        legacy: compute(computations.legacyForecasting, learns),
        goal: compute(
          computations.goalReaching,
          ({ assumptions, goal }) => learns(assumptions) || goal.chance !== undefined
        ),
        progress: compute(computations.progressing, () => true)
      })
    })
  )

  /** Computes everything in place, without turns. */
  static readonly layerPure = Layer.sync(Forecaster, () => ({
    forecast: inPlace(computations.forecasting),
    legacy: inPlace(computations.legacyForecasting),
    goal: inPlace(computations.goalReaching),
    progress: inPlace(computations.progressing)
  }))
}

const learns = ({ history }: Assumptions): boolean => history !== undefined

const inPlace =
  <I, A>({ run }: Computation<I, A, never>) =>
  (request: I): Effect.Effect<A> =>
    Effect.suspend(() => Effect.fromResult(run(request, Infinity)))
