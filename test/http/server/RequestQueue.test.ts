import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { makeRequestQueue } from "../../../src/http/server/RequestQueue.ts"

/** Requests of named connections, numbered by their order on each. */
const makeRequests = () => {
  const connections = new Map<string, { sent: number }>()
  return (name: string) => {
    const connection = connections.get(name) ?? { sent: 0 }
    connections.set(name, connection)
    return { connection, name: `${name}${++connection.sent}` }
  }
}

const namesOf = (items: ReadonlyArray<{ readonly name: string }>) => items.map(({ name }) => name)

const turnOfTheEventLoop = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("the queue of requests", () => {
  it.effect("gives one that comes alone at once, without a timer", () =>
    Effect.gen(function* () {
      const queue = makeRequestQueue<{ readonly connection: object; readonly name: string }>(10)
      const request = makeRequests()
      const taken = yield* Effect.forkChild(queue.take(Infinity), { startImmediately: true })
      queue.offer(request("a"))
      assert.deepStrictEqual(namesOf(yield* Fiber.join(taken)), ["a1"])
    })
  )

  it.effect(
    "gives together, in their order, those that come in one turn of the event loop, or while nobody takes",
    () =>
      Effect.gen(function* () {
        const queue = makeRequestQueue<{ readonly connection: object; readonly name: string }>(10)
        const request = makeRequests()
        const first = yield* Effect.forkChild(queue.take(Infinity), { startImmediately: true })
        for (const name of ["a", "b"]) queue.offer(request(name))
        assert.deepStrictEqual(namesOf(yield* Fiber.join(first)), ["a1", "b1"])
        for (const name of ["c", "d", "e"]) queue.offer(request(name))
        yield* turnOfTheEventLoop
        assert.deepStrictEqual(namesOf(yield* queue.take(2)), ["c1", "d1"])
        assert.deepStrictEqual(namesOf(yield* queue.take(2)), ["e1"])
      })
  )

  it.effect("gives a connection its next request once the one before is answered, and others do not wait for it", () =>
    Effect.gen(function* () {
      const queue = makeRequestQueue<{ readonly connection: object; readonly name: string }>(100)
      const request = makeRequests()
      for (let i = 0; i < 50; i++) queue.offer(request("greedy"))
      queue.offer(request("modest"))
      const taken = yield* queue.take(Infinity)
      assert.deepStrictEqual(namesOf(taken), ["greedy1", "modest1"])
      for (const each of taken) queue.done(each)
      queue.offer(request("other"))
      assert.deepStrictEqual(namesOf(yield* queue.take(Infinity)), ["greedy2", "other1"])
    })
  )

  it.effect("refuses what comes when too many wait, and takes again once some were taken", () =>
    Effect.gen(function* () {
      const queue = makeRequestQueue<{ readonly connection: object; readonly name: string }>(3)
      const request = makeRequests()
      assert.deepStrictEqual(
        ["a", "a", "b", "c"].map((name) => queue.offer(request(name))),
        [true, true, true, false]
      )
      yield* queue.take(1)
      assert.isTrue(queue.offer(request("c")))
      assert.isFalse(queue.offer(request("d")))
    })
  )

  it.effect("keeps what came for the next when one who waited was interrupted", () =>
    Effect.gen(function* () {
      const queue = makeRequestQueue<{ readonly connection: object; readonly name: string }>(3)
      const request = makeRequests()
      const waiting = yield* Effect.forkChild(queue.take(Infinity), { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      queue.offer(request("a"))
      yield* turnOfTheEventLoop
      assert.deepStrictEqual(namesOf(yield* queue.take(Infinity)), ["a1"])
    })
  )
})
