import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { makeRequestQueue } from "../../../src/http/batch/RequestQueue.ts"

interface Request {
  readonly connection: object
  readonly share: string
  readonly name: string
}

/** Requests of named connections, numbered by their order on each; each connection is a share, if no other is named. */
const makeRequests = () => {
  const connections = new Map<string, { sent: number }>()
  return (name: string, share: string = name): Request => {
    const connection = connections.get(name) ?? { sent: 0 }
    connections.set(name, connection)
    return { connection, share, name: `${name}${++connection.sent}` }
  }
}

const namesOf = (items: ReadonlyArray<{ readonly name: string }>) => items.map(({ name }) => name)

const turnOfTheEventLoop = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("the queue of requests", () => {
  it.effect("gives one that comes alone at once, without a timer", () =>
    Effect.gen(function* () {
      const queue = makeRequestQueue<Request>(10)
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
        const queue = makeRequestQueue<Request>(10)
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
      const queue = makeRequestQueue<Request>(100)
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
      const queue = makeRequestQueue<Request>(3)
      const request = makeRequests()
      assert.deepStrictEqual(
        ["a", "b", "c", "d"].map((name) => queue.offer(request(name))?.name),
        [undefined, undefined, undefined, "d1"]
      )
      yield* queue.take(1)
      assert.isUndefined(queue.offer(request("d")))
      assert.strictEqual(queue.offer(request("e"))?.name, "e1")
    })
  )

  it.effect("gives a place of the share that has most to one that has few, down to an equal share", () =>
    Effect.gen(function* () {
      const queue = makeRequestQueue<Request>(6)
      const request = makeRequests()
      for (let i = 0; i < 6; i++) queue.offer(request(`greedy${i}.`, "greedy"))
      const refused = ["a", "b", "c", "d"].map((name) => queue.offer(request(name, "modest"))?.name)
      assert.deepStrictEqual(refused, ["greedy5.1", "greedy4.1", "greedy3.1", "d1"])
      assert.strictEqual(queue.offer(request("greedy6.", "greedy"))?.name, "greedy6.1")
      assert.deepStrictEqual(namesOf(yield* queue.take(Infinity)), [
        "greedy0.1",
        "greedy1.1",
        "greedy2.1",
        "a1",
        "b1",
        "c1"
      ])
    })
  )

  it.effect("refuses what was sent behind others first, and goes on with what a connection has sent behind it", () =>
    Effect.gen(function* () {
      const queue = makeRequestQueue<Request>(3)
      const request = makeRequests()
      for (let i = 0; i < 3; i++) queue.offer(request("a"))
      assert.strictEqual(queue.offer(request("b"))?.name, "a3")
      const other = makeRequestQueue<Request>(3)
      // The newest of the share is the first of its connection, with one of another share behind it.
      other.offer(request("c", "greedy"))
      other.offer(request("d", "greedy"))
      other.offer(request("d", "modest"))
      assert.strictEqual(other.offer(request("e", "new"))?.name, "d1")
      assert.deepStrictEqual(namesOf(yield* other.take(Infinity)), ["c1", "d2", "e1"])
    })
  )

  it.effect("holds a hundred requests of a connection behind the one that is being answered", () =>
    Effect.gen(function* () {
      const queue = makeRequestQueue<Request>(1000)
      const request = makeRequests()
      const refused = Array.from({ length: 102 }, () => queue.offer(request("a"))?.name)
      assert.deepStrictEqual(refused.filter(Boolean), ["a102"])
      const taken = yield* queue.take(Infinity)
      for (const each of taken) queue.done(each)
      assert.isUndefined(queue.offer(request("a")))
    })
  )

  it.effect("keeps what came for the next when one who waited was interrupted", () =>
    Effect.gen(function* () {
      const queue = makeRequestQueue<Request>(3)
      const request = makeRequests()
      const waiting = yield* Effect.forkChild(queue.take(Infinity), { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      queue.offer(request("a"))
      yield* turnOfTheEventLoop
      assert.deepStrictEqual(namesOf(yield* queue.take(Infinity)), ["a1"])
    })
  )
})
