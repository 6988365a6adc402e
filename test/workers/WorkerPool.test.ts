import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Fiber, Latch } from "effect"
import { listForecasting } from "../../src/extensions/lists/listForecasting.ts"
import { forecasting } from "../../src/forecast/computations.ts"
import { type Caller, WorkerPool } from "../../src/workers/WorkerPool.ts"
import { body, campaigns } from "../support/CampaignRequests.ts"
import { assumptionsOf } from "../support/Samples.ts"

const campaign = assumptionsOf()

/** Computes a forecast for a key, or for a client; `inTurn` runs before it, in its turn. */
const submit = (caller: string | Caller, inTurn: Effect.Effect<unknown> = Effect.void) =>
  Effect.scoped(
    Effect.gen(function* () {
      const pool = yield* WorkerPool
      const next = yield* pool.begin(
        typeof caller === "string" ? { key: caller } : caller,
        forecasting,
        yield* campaign
      )
      return yield* next((piece) => Effect.andThen(inTurn, piece))
    })
  )

/** Notes whose turn it is; the turn ends later than it began, as in a thread. */
const noteIn = (order: Array<string>) => (name: string) =>
  Effect.andThen(
    Effect.sync(() => order.push(name)),
    Effect.yieldNow
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

/** Computes a list of one campaign, in four pieces, and runs `inTurn` before each of them. */
const submitList = (caller: Caller, inTurn: Effect.Effect<unknown>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const pool = yield* WorkerPool
      const request = { text: body(campaigns(1)), type: "json", answer: "json" } as const
      const next = yield* pool.begin(caller, listForecasting, request)
      while (!(yield* next((piece) => Effect.andThen(inTurn, piece))).done);
    })
  )

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
      const note = noteIn(order)
      const { release } = yield* busy
      const lists = yield* Effect.forEach(["a", "b"], (key) => fork(submitList({ key }, note(key))))
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

  it.effect("takes the tasks of a share in turn with the pieces of two long tasks", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const note = noteIn(order)
      const { release } = yield* busy
      const forecasts = yield* Effect.replicateEffect(fork(submit("c", note("c"))), 3)
      const lists = yield* Effect.forEach(["a", "b"], (key) => fork(submitList({ key }, note(key))))
      yield* release
      yield* Effect.forEach(forecasts, Fiber.join)
      yield* Effect.forEach(lists, Fiber.join)
      assert.strictEqual(order.join(""), "cabcabcabab")
    }).pipe(Effect.provide(WorkerPool.layerMemory))
  )

  it.effect("takes one piece of all clients without a key between two of a key, and of each of them in turn", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const note = noteIn(order)
      const { release } = yield* busy
      const clients = Arr.makeBy(25, (i) => `client ${i}`)
      const pages = yield* Effect.forEach([...clients, ...clients], (client) =>
        fork(submitList({ client }, note(client)))
      )
      const forecasts = yield* Effect.replicateEffect(fork(submit("key", note("key"))), 2)
      const list = yield* fork(submitList({ key: "key" }, note("key")))
      yield* release
      yield* Effect.forEach(pages, Fiber.join)
      yield* Effect.forEach(forecasts, Fiber.join)
      yield* Fiber.join(list)
      const ofKey = order.flatMap((name, place) => (name === "key" ? [place] : []))
      assert.deepStrictEqual(ofKey, [1, 3, 5, 7, 9, 11])
      const ofClients = order.filter((name) => name !== "key")
      assert.deepStrictEqual(ofClients, Arr.makeBy(8, () => clients).flat())
    }).pipe(Effect.provide(WorkerPool.layerMemory))
  )

  it.effect("leaves all threads but one to keys", () =>
    Effect.gen(function* () {
      const hold = yield* Latch.make()
      const running: Array<string> = []
      const held = (name: string) =>
        Effect.andThen(
          Effect.sync(() => running.push(name)),
          hold.await
        )
      const fibers = []
      for (const client of ["x", "y", "z"]) fibers.push(yield* fork(submit({ client }, held(client))))
      for (const key of ["a", "a", "b"]) fibers.push(yield* fork(submit(key, held(key))))
      const atOnce = [...running]
      yield* hold.open
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(atOnce, ["x", "a", "a"])
      assert.lengthOf(running, 6)
    }).pipe(Effect.provide(WorkerPool.layerMemoryOf(3)))
  )

  it.effect("has 50 tasks of clients without a key, of whom the one with the most gives way to one with fewer", () =>
    Effect.gen(function* () {
      const { release } = yield* busy
      const begin = (client: string) => fork(Effect.map(Effect.result(submit({ client })), ({ _tag }) => _tag))
      const ofMany = yield* Effect.replicateEffect(begin("many"), 40)
      const others = yield* Effect.forEach(
        Arr.makeBy(50, (i) => `client ${i}`),
        begin
      )
      const key = yield* fork(submit("key"))
      yield* release
      yield* Fiber.join(key)
      const [first, ...cut] = yield* Effect.forEach(ofMany, Fiber.join)
      assert.strictEqual(first, "Success")
      assert.deepStrictEqual(new Set(cut), new Set(["Failure"]))
      const results = yield* Effect.forEach(others, Fiber.join)
      assert.deepStrictEqual(results, [...Arr.makeBy(49, () => "Success"), "Failure"])
    }).pipe(Effect.provide(WorkerPool.layerMemory))
  )
})
