import { Effect, Latch, Layer } from "effect"
import type { Computation } from "../../src/workers/Computation.ts"
import { type Caller, type NextPiece, WorkerPool } from "../../src/workers/WorkerPool.ts"

/** Workers that compute each piece in a changed way. */
export const workersWith = (change: <A, E, S>(next: NextPiece<A, E, S>) => NextPiece<A, E, S>) =>
  Layer.effect(
    WorkerPool,
    Effect.map(WorkerPool, (pool) =>
      WorkerPool.of({
        begin: <I, A, E, S>(caller: Caller, computation: Computation<I, A, E, S>, input: I) =>
          Effect.map(pool.begin(caller, computation, input), (next) => change(next))
      })
    )
  ).pipe(Layer.provide(WorkerPool.layerMemory))

/** Workers that a test can block, with counts of computations, and of their pieces that arrived and were abandoned. */
export const makeHeldWorkers = () => {
  const latch = Latch.makeUnsafe(true)
  let free = Infinity
  let begun = 0
  let arrived = 0
  let givenUp = 0
  const workers = workersWith((next) => {
    begun++
    return (inTurn) =>
      Effect.suspend(() => {
        const isFree = arrived++ < free
        return next((piece) => (isFree ? inTurn(piece) : latch.whenOpen(inTurn(piece)))).pipe(
          Effect.onInterrupt(() => Effect.sync(() => givenUp++))
        )
      })
  })
  return {
    workers,
    /** Blocks all pieces from now on, except the next `exceptNext`. */
    holdAfter: (exceptNext: number) => {
      free = arrived + exceptNext
      return latch.close
    },
    release: latch.open,
    begun: () => begun,
    arrived: () => arrived,
    givenUp: () => givenUp
  }
}
