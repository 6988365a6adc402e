import type { Worker } from "node:worker_threads"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Result } from "effect"
import { decodeAssumptions } from "../../src/campaign/Assumptions.ts"
import { goalOperation } from "../../src/extensions/goals/goalOperation.ts"
import { progressOperation } from "../../src/extensions/progress/progressOperation.ts"
import { listForecasting } from "../../src/extensions/lists/listForecasting.ts"
import { forecasting } from "../../src/forecast/computations.ts"
import { Forecaster, type Turn } from "../../src/forecast/Forecaster.ts"
import { exampleGoal } from "../../src/extensions/goals/GoalRequest.ts"
import { exampleInFlight } from "../../src/extensions/progress/ProgressRequest.ts"
import { takeAllSteps } from "../../src/workers/Steps.ts"
import { WorkerPool } from "../../src/workers/WorkerPool.ts"
import { body, campaigns, largeCampaigns } from "../support/CampaignRequests.ts"
import { assumptionsOf, measured, sample } from "../support/Samples.ts"
import { slowly } from "../support/slowly.ts"

/** The turn of a key, which counts how often it came. */
const makeTurn = () => {
  let count = 0
  const turn: Turn<never> = { of: { key: "a" }, admit: Effect.sync(() => void count++) }
  return { turn, count: () => count }
}

/** Answers of each method, short and long ones. */
const answers = (turn: Turn<never>) =>
  Effect.gen(function* () {
    const forecaster = yield* Forecaster
    const { forecast, legacy } = forecaster
    const goal = goalOperation.compute(forecaster)
    const progress = progressOperation.compute(forecaster)
    const short = yield* assumptionsOf()
    const long = yield* Effect.fromResult(decodeAssumptions({ ...sample, ...measured, delivery_rate: 95.5 }))
    const { chance: _, ...onAverage } = exampleGoal.goal
    return yield* Effect.all([
      forecast(short, turn),
      forecast(long, turn),
      legacy(short, turn),
      legacy(long, turn),
      goal({ assumptions: short, goal: onAverage }, turn),
      goal({ assumptions: long, goal: onAverage }, turn),
      goal(exampleGoal, turn),
      progress(exampleInFlight, turn)
    ])
  })

const listRequest = (text: string) => ({ text, type: "json", answer: "json" }) as const

/** Begins to compute a list. */
const beginList = (text: string) =>
  Effect.flatMap(WorkerPool, ({ begin }) => begin({ key: "a" }, listForecasting, listRequest(text)))

/** All threads that were started. */
class Started extends Context.Service<Started, Array<Worker>>()("outreach-forecast/test/Started") {
  static readonly layer = Layer.effect(
    Started,
    Effect.gen(function* () {
      const threads: Array<Worker> = []
      const note = (thread: Worker) => void threads.push(thread)
      process.on("worker", note)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.off("worker", note)))
      return threads
    })
  )
}

const threads = Forecaster.layer.pipe(Layer.provideMerge(WorkerPool.layer), Layer.provideMerge(Started.layer))

// A thread takes a second of processor time to start: the tests that need one are here, and share it.
layer(threads)("Threads", (it) => {
  it.effect(
    "give the same answers as the main thread, which waits for a turn only for long computations",
    () =>
      Effect.gen(function* () {
        const inThreads = makeTurn()
        const inPlace = makeTurn()
        assert.deepStrictEqual(
          yield* answers(inThreads.turn),
          yield* Effect.provide(answers(inPlace.turn), Forecaster.layerPure)
        )
        assert.deepStrictEqual([inThreads.count(), inPlace.count()], [5, 5])
      }),
    slowly
  )

  it.effect(
    "compute a list in pieces, with the same answer and the same failures as the main thread",
    () =>
      Effect.gen(function* () {
        const text = body(campaigns(3))
        const next = yield* beginList(text)
        let piece = yield* next((piece) => piece)
        assert.deepInclude(piece, { done: false })
        assert.nestedInclude(piece, { "value.campaigns": 3, "value.computed": 0 })
        while (!piece.done) piece = yield* next((piece) => piece)
        assert.deepStrictEqual(piece.value, Result.getOrThrow(takeAllSteps(listForecasting.steps(listRequest(text)))))
        const wrong = Effect.flatMap(beginList("[]"), (next) => next((piece) => piece))
        assert.strictEqual((yield* Effect.flip(wrong))._tag, "InvalidInput")
      }),
    slowly
  )

  it.effect(
    "continue after a computation that throws, which fails with its defect",
    () =>
      Effect.gen(function* () {
        const { begin } = yield* WorkerPool
        const computed = Effect.fnUntraced(function* (name: string) {
          const next = yield* begin({ key: "a" }, { ...forecasting, name }, yield* assumptionsOf())
          return yield* next((piece) => piece)
        })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(computed("unknown"))))
        assert.nestedInclude(yield* computed(forecasting.name), { "value.estimated_clients": 3.75 })
      }),
    slowly
  )

  it.effect(
    "are replaced once they have died; a list that was in progress there is refused",
    () =>
      Effect.gen(function* () {
        const { begin } = yield* WorkerPool
        const started = yield* Started
        const next = yield* beginList(body(largeCampaigns(25)))
        assert.isFalse((yield* next((piece) => piece)).done)
        const before = started.length
        const forecast = Effect.flatMap(assumptionsOf(), (campaign) =>
          Effect.flatMap(begin({ key: "a" }, forecasting, campaign), (next) => next((piece) => piece))
        )
        const computing = yield* Effect.forkChild(Effect.replicateEffect(forecast, 3), { startImmediately: true })
        yield* Effect.promise(() => Promise.all(started.map((thread) => thread.terminate())))
        assert.lengthOf(yield* Fiber.join(computing), 3)
        assert.isAbove(started.length, before)
        assert.strictEqual((yield* Effect.flip(next((piece) => piece)))._tag, "Overloaded")
      }),
    slowly
  )
})
