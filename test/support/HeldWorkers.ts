import { Effect, Latch, Layer } from "effect"
import { WorkerPool } from "../../src/workers/WorkerPool.ts"

/** Workers that a test can block, with counts of the pieces that arrived and that were abandoned. */
export const makeHeldWorkers = () => {
  const latch = Latch.makeUnsafe(true)
  let free = Infinity
  let arrived = 0
  let givenUp = 0
  const workers = Layer.effect(
    WorkerPool,
    Effect.map(WorkerPool, (pool) =>
      WorkerPool.of({
        size: pool.size,
        compute: (share, piece) =>
          Effect.suspend(() => {
            const isFree = arrived++ < free
            return pool
              .compute(share, (run) => (isFree ? piece(run) : latch.whenOpen(piece(run))))
              .pipe(Effect.onInterrupt(() => Effect.sync(() => givenUp++)))
          })
      })
    )
  ).pipe(Layer.provide(WorkerPool.layerMemory))
  return {
    workers,
    /** Blocks all pieces from now on, except the next `exceptNext`. */
    holdAfter: (exceptNext: number) => {
      free = arrived + exceptNext
      return latch.close
    },
    release: latch.open,
    arrived: () => arrived,
    givenUp: () => givenUp
  }
}
