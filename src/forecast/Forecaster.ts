import { Context, Effect, Layer, type Scope } from "effect"
import type { Assumptions } from "../campaign/Assumptions.ts"
import type { InvalidInput, MalformedJson } from "../input/InvalidInput.ts"
import { makeSlots, Overloaded } from "../Limits.ts"
import type { Computation } from "../workers/Computation.ts"
import { takeAllSteps } from "../workers/Steps.ts"
import { type Caller, WorkerPool } from "../workers/WorkerPool.ts"
import * as computations from "./computations.ts"
import type { Forecast } from "./ForecastAnswer.ts"
import type { GoalRequest } from "./goals/GoalRequest.ts"
import type { LegacyForecast } from "./LegacyForecast.ts"
import type { ListAnswer, ListProgress, ListRequest } from "./list/CampaignList.ts"
import type { GoalAnswer } from "./goals/GoalAnswer.ts"
import type { ProgressAnswer } from "./progress/ProgressAnswer.ts"
import type { ProgressRequest } from "./progress/ProgressRequest.ts"

/** The turn that a computation of milliseconds waits for. One of microseconds waits for nothing, and needs no turn. */
export interface Turn<E> {
  /** Whose turn it is. All keys that wait take turns, and all clients without one together have those of one key. */
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

/** A list of campaigns that has been decoded, and is kept while the scope is open. */
export interface DecodedList extends Pick<ListProgress, "campaigns" | "fingerprint"> {
  /**
   * Forecasts the list, at most 100 ms in a turn. `admit` runs when each turn has come, and `onComputed` with the
   * number of campaigns forecast so far when it ends.
   */
  readonly forecast: <E>(
    admit: Effect.Effect<void, E>,
    onComputed: (campaigns: number) => void
  ) => Effect.Effect<ListAnswer, E | Overloaded>
}

/** The most lists: in progress for a key at a time, of a key, and of all keys, as each holds several mebibytes. */
const maxLists = { atOnce: 1, each: 4, all: 50 }

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
    /** Decodes a list of campaigns, in a turn of a key. The lists of a key are in progress one after another. */
    readonly list: (
      request: ListRequest,
      key: string
    ) => Effect.Effect<DecodedList, InvalidInput | MalformedJson | Overloaded, Scope.Scope>
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
      const lists = makeSlots({ ...maxLists, refusal: () => new Overloaded() })

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

      const unlessShort =
        <I, A>(computation: Computation<I, A, never>, takesLong: (request: I) => boolean): Compute<I, A> =>
        (request, turn) =>
          takesLong(request) ? compute(computation, request, turn) : inPlace(computation)(request)

      const list = Effect.fnUntraced(function* (request: ListRequest, key: string) {
        yield* Effect.flatten(lists.enter(key))
        const next = yield* pool.begin({ key }, computations.listForecasting, request)
        const decoded = yield* next((piece) => piece)
        if (decoded.done) return yield* Effect.die(new Error("A list is forecast in several steps"))
        const forecast: DecodedList["forecast"] = (admit, onComputed) =>
          next((piece) =>
            Effect.andThen(admit, Effect.catchTag(piece, ["InvalidInput", "MalformedJson"], Effect.die)).pipe(
              Effect.tap(({ done, value }) => Effect.sync(() => (done ? undefined : onComputed(value.computed))))
            )
          ).pipe(Effect.flatMap(({ done, value }) => (done ? Effect.succeed(value) : forecast(admit, onComputed))))
        return { ...decoded.value, forecast }
      })

      return Forecaster.of({
        forecast: unlessShort(computations.forecasting, learns),
        legacy: unlessShort(computations.legacyForecasting, learns),
        goal: unlessShort(
          computations.goalReaching,
          ({ assumptions, goal }) => learns(assumptions) || goal.chance !== undefined
        ),
        progress: unlessShort(computations.progressing, () => true),
        list,
        compute
      })
    })
  )

  /** Computes everything in the thread of its caller. */
  static readonly layerPure = Forecaster.layer.pipe(Layer.provide(WorkerPool.layerMemory))
}

const learns = ({ history }: Assumptions): boolean => history !== undefined

const inPlace =
  <I, A>({ steps }: Computation<I, A, never>) =>
  (request: I): Effect.Effect<A> =>
    Effect.suspend(() => Effect.fromResult(takeAllSteps(steps(request))))
