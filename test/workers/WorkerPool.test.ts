import type { Worker } from "node:worker_threads"
import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Latch } from "effect"
import { readList } from "../../src/forecast/list/CampaignList.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { forecasting } from "../../src/forecast/computations.ts"
import { listForecasting, listReading } from "../../src/metering/computations.ts"
import { WorkerPool } from "../../src/workers/WorkerPool.ts"
import { body, campaigns, largeCampaigns } from "../support/CampaignRequests.ts"
import { assumptionsOf } from "../support/Samples.ts"

/** One worker that is busy until `release`, so that everything else waits. */
const busy = Effect.gen(function* () {
  const pool = yield* WorkerPool
  const latch = yield* Latch.make()
  const started = yield* Deferred.make<void>()
  yield* Effect.forkChild(
    pool.compute("busy", () => Effect.andThen(Deferred.done(started, Exit.void), latch.await)),
    { startImmediately: true }
  )
  yield* Deferred.await(started)
  return { pool, release: latch.open }
})

describe("WorkerPool", () => {
  it.effect("takes one task of each share in turn, and those of a share in order", () =>
    Effect.gen(function* () {
      const { pool, release } = yield* busy
      const order: Array<string> = []
      const submit = (share: string, name: string) =>
        Effect.forkChild(
          pool.compute(share, () => Effect.sync(() => order.push(name))),
          { startImmediately: true }
        )
      const fibers = []
      for (const name of ["a1", "a2", "a3", "b1", "c1", "b2"]) fibers.push(yield* submit(name.slice(0, 1), name))
      yield* release
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(order, ["a1", "b1", "c1", "a2", "b2", "a3"])
    }).pipe(Effect.provide(WorkerPool.layerMemory))
  )

  it.effect("refuses the 101st task of a share, and accepts those of others", () =>
    Effect.gen(function* () {
      const { pool, release } = yield* busy
      const submit = (share: string) =>
        Effect.forkChild(
          pool.compute(share, () => Effect.succeed(share)),
          { startImmediately: true }
        )
      const fibers = yield* Effect.replicateEffect(submit("many"), 100)
      const refused = yield* Effect.flip(pool.compute("many", () => Effect.succeed("many")))
      assert.strictEqual(refused._tag, "Overloaded")
      const other = yield* submit("other")
      yield* release
      assert.strictEqual(yield* Fiber.join(other), "other")
      assert.lengthOf(yield* Effect.forEach(fibers, Fiber.join), 100)
      assert.strictEqual(yield* pool.compute("many", () => Effect.succeed("again")), "again")
    }).pipe(Effect.provide(WorkerPool.layerMemory))
  )

  it.effect("does not start a task that is interrupted while it waits", () =>
    Effect.gen(function* () {
      const { pool, release } = yield* busy
      let started = 0
      const waiting = yield* Effect.forkChild(
        pool.compute("a", () => Effect.sync(() => started++)),
        { startImmediately: true }
      )
      yield* Fiber.interrupt(waiting)
      yield* release
      yield* pool.compute("a", () => Effect.void)
      assert.strictEqual(started, 0)
    }).pipe(Effect.provide(WorkerPool.layerMemory))
  )

  layer(WorkerPool.layer)((it) => {
    it.effect("computes the same in threads as in the main thread", () =>
      Effect.gen(function* () {
        const pool = yield* WorkerPool
        const assumptions = yield* assumptionsOf()
        const forecast = yield* pool.compute("a", (run) => run(forecasting, assumptions))
        assert.deepStrictEqual(forecast, computeForecast(assumptions).forecast)
        const text = body(campaigns(3))
        const list = yield* pool.compute("a", (run) => run(listReading, { text, format: "json" }))
        assert.deepStrictEqual(list, yield* Effect.fromResult(readList(text, "json")))
        const wrong = yield* Effect.flip(pool.compute("a", (run) => run(listReading, { text: "[]", format: "json" })))
        assert.strictEqual(wrong._tag, "InvalidInput")
      })
    )

    it.effect("fails with the defect of a computation that throws, and continues", () =>
      Effect.gen(function* () {
        const pool = yield* WorkerPool
        const assumptions = yield* assumptionsOf()
        const failed = yield* Effect.exit(
          pool.compute("a", (run) => run({ ...forecasting, name: "unknown" }, assumptions))
        )
        assert.isTrue(Exit.isFailure(failed))
        const forecast = yield* pool.compute("a", (run) => run(forecasting, assumptions))
        assert.strictEqual(forecast.estimated_clients, 3.75)
      })
    )
  })

  it.live("continues in another thread after one has died", () =>
    Effect.gen(function* () {
      const threads: Array<Worker> = []
      const note = (thread: Worker) => void threads.push(thread)
      process.on("worker", note)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.off("worker", note)))
      const pool = yield* WorkerPool
      const campaigns = largeCampaigns(25).map((campaign) => ({ text: JSON.stringify(campaign) }))
      const submit = pool.compute("a", (run) => run(listForecasting, { campaigns, format: "json" }))
      assert.isAbove((yield* submit).length, 0)
      const computing = yield* Effect.forkChild(Effect.replicateEffect(submit, 3), { startImmediately: true })
      yield* Effect.promise(async () => threads[0]?.terminate())
      assert.lengthOf(yield* Fiber.join(computing), 3)
      assert.isAbove(threads.length, 1)
    }).pipe(Effect.scoped, Effect.provide(WorkerPool.layer))
  )
})
