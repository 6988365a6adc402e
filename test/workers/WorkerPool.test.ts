import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { forecasting, listForecasting } from "../../src/forecast/computations.ts"
import { WorkerPool } from "../../src/workers/WorkerPool.ts"
import { body, campaigns } from "../support/CampaignRequests.ts"
import { assumptionsOf } from "../support/Samples.ts"

const campaign = assumptionsOf()

/** Computes a forecast for a share; `inTurn` runs before it, in its turn. */
const submit = (share: string, inTurn: Effect.Effect<unknown> = Effect.void) =>
  Effect.scoped(
    Effect.gen(function* () {
      const pool = yield* WorkerPool
      const next = yield* pool.begin(share, forecasting, yield* campaign)
      return yield* next((piece) => Effect.andThen(inTurn, piece))
    })
  )

const fork = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.forkChild(effect, { startImmediately: true })

/** One worker that is busy until `release`, so that everything else waits. */
const busy = Effect.gen(function* () {
  const latch = yield* Latch.make()
  const started = yield* Latch.make()
  yield* fork(submit("busy", Effect.andThen(started.open, latch.await)))
  yield* started.await
  return { release: latch.open }
})

const listRequest = (text: string) => ({ text, type: "json", answer: "json" }) as const

describe("WorkerPool", () => {
  it.effect("takes one task of each share in turn, and those of a share in order", () =>
    Effect.gen(function* () {
      const { release } = yield* busy
      const order: Array<string> = []
      const fibers = []
      for (const name of ["a1", "a2", "a3", "b1", "c1", "b2"]) {
        fibers.push(
          yield* fork(
            submit(
              name.slice(0, 1),
              Effect.sync(() => order.push(name))
            )
          )
        )
      }
      yield* release
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(order, ["a1", "b1", "c1", "a2", "b2", "a3"])
    }).pipe(Effect.provide(WorkerPool.layerMemory))
  )

  it.effect("takes the pieces of two long tasks in turn", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const submitList = (share: string) =>
        Effect.scoped(
          Effect.gen(function* () {
            const pool = yield* WorkerPool
            const next = yield* pool.begin(share, listForecasting, listRequest(body(campaigns(1))))
            const noted = next((piece) => Effect.tap(piece, () => Effect.sync(() => order.push(share))))
            while (!(yield* noted).done);
          })
        )
      const { release } = yield* busy
      const lists = yield* Effect.forEach(["a", "b"], (share) => fork(submitList(share)))
      yield* release
      yield* Effect.forEach(lists, Fiber.join)
      assert.strictEqual(order.join(""), "abababab")
    }).pipe(Effect.provide(WorkerPool.layerMemory))
  )

  it.effect("refuses the 101st task of a share, and accepts those of others", () =>
    Effect.gen(function* () {
      const { release } = yield* busy
      const fibers = yield* Effect.replicateEffect(fork(submit("many")), 100)
      const refused = yield* Effect.flip(submit("many"))
      assert.strictEqual(refused._tag, "Overloaded")
      const other = yield* fork(submit("other"))
      yield* release
      yield* Fiber.join(other)
      assert.lengthOf(yield* Effect.forEach(fibers, Fiber.join), 100)
      assert.isTrue((yield* submit("many")).done)
    }).pipe(Effect.provide(WorkerPool.layerMemory))
  )

  it.effect("does not start a task that is interrupted while it waits", () =>
    Effect.gen(function* () {
      const { release } = yield* busy
      let started = 0
      const waiting = yield* fork(
        submit(
          "a",
          Effect.sync(() => started++)
        )
      )
      yield* Fiber.interrupt(waiting)
      yield* release
      yield* submit("a")
      assert.strictEqual(started, 0)
    }).pipe(Effect.provide(WorkerPool.layerMemory))
  )
})
