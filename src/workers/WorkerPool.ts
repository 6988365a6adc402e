import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import * as NodeWorker from "@effect/platform-node/NodeWorker"
import { Clock, Context, Deferred, Effect, Latch, Layer, PartitionedSemaphore, type Scope } from "effect"
import { RpcClient } from "effect/rpc"
import { RpcClientError } from "effect/rpc/RpcClientError"
import { Overloaded } from "../Overloaded.ts"
import { type Computation, WorkerRpc } from "./Computation.ts"
import { makeSlots } from "../Slots.ts"

/** The most pieces of work of one client or key. */
const maxOfShare = 100

/** The idle time after which a thread ends. */
const idleTime = "30 seconds"

/**
 * Runs a computation, in a thread; `onComputed` is called with the milliseconds that it took there. Dies with an
 * RpcClientError if the thread ends.
 */
export type Run = <I, A, E>(
  computation: Computation<I, A, E>,
  input: I,
  onComputed?: (millis: number) => void
) => Effect.Effect<A, E>

/** The program of a thread: a file of the build, or its source if the sources are run directly. */
const program = new URL(import.meta.url.endsWith(".ts") ? "../worker.ts" : "worker.js", import.meta.url)

/** Starts a thread without environment variables, and so without secrets. */
const spawn = () => new Worker(program, { env: {}, execArgv: [] })

const makeThreads = Effect.fnUntraced(function* (size: number) {
  const threads = RpcClient.makeProtocolWorker({ minSize: 0, maxSize: size, timeToLive: idleTime }).pipe(
    Effect.provide(NodeWorker.layer(spawn)),
    Effect.orDie
  )
  const client = yield* RpcClient.make(WorkerRpc, { disableTracing: true }).pipe(
    Effect.provideServiceEffect(RpcClient.Protocol, threads)
  )
  const run: Run = ({ decodeResult, encodeInput, name }, input, onComputed) =>
    Effect.suspend(() => client.Compute({ name, input: encodeInput(input) })).pipe(
      Effect.orDie,
      Effect.flatMap(({ millis, result }) => {
        onComputed?.(millis)
        return Effect.fromResult(decodeResult(result))
      })
    )
  return run
})

/** Runs computations in the thread of their caller, each without interruption. */
const runHere: Run = ({ run }, input, onComputed) =>
  Effect.suspend(() => {
    const begun = performance.now()
    const result = run(input, Infinity)
    onComputed?.(performance.now() - begun)
    return Effect.fromResult(result)
  })

/** Creates the threads when they are first needed, in a fiber of their own, because they outlive that request. */
const makeLazily = Effect.fnUntraced(function* (make: Effect.Effect<Run, never, Scope.Scope>) {
  const needed = yield* Latch.make()
  const created = yield* Deferred.make<Run>()
  yield* needed.await.pipe(Effect.andThen(make), Deferred.into(created), Effect.forkScoped)
  return Effect.andThen(needed.open, Deferred.await(created))
})

/**
 * Threads for computations that would block the event loop. They take one piece of work of each client or key in turn: however
 * much one of them requests, the others wait for only one piece of it.
 */
export class WorkerPool extends Context.Service<
  WorkerPool,
  {
    /** The number of pieces computed at the same time. */
    readonly size: number
    /**
     * Computes a piece in the turn of `share`, which names a client or key. Fails with Overloaded if 100 of its pieces are
     * waiting. Interruptible while it waits; once begun, a piece is computed to its end.
     */
    readonly compute: <A, E>(
      share: string,
      piece: (run: Run) => Effect.Effect<A, E>
    ) => Effect.Effect<A, E | Overloaded>
  }
>()("outreach-forecast/workers/WorkerPool") {
  /** One thread less than the machine has cores, at least one: started when needed, ended when idle. */
  static readonly layer = Layer.effect(
    WorkerPool,
    Effect.suspend(() => {
      const size = Math.max(1, availableParallelism() - 1)
      return Effect.flatMap(makeLazily(makeThreads(size)), (run) => make(size, run))
    })
    // Threads live in real time, even with a test clock.
  ).pipe(Layer.provide(Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())))

  /** Computes in the calling thread, for tests, without splitting the work. */
  static readonly layerMemory = Layer.effect(
    WorkerPool,
    Effect.suspend(() => make(1, Effect.succeed(runHere)))
  )
}

const make = (size: number, run: Effect.Effect<Run>) =>
  Effect.map(PartitionedSemaphore.make<string>({ permits: size }), (turns) => {
    const slots = makeSlots({ each: maxOfShare, refusal: () => new Overloaded() })
    return WorkerPool.of({
      size,
      compute: <A, E>(share: string, piece: (run: Run) => Effect.Effect<A, E>) => {
        const once = Effect.flatMap(run, piece)
        // A thread that ends fails the pieces of all clients.
        const computed = Effect.catchDefect(once, (defect) =>
          defect instanceof RpcClientError ? once : Effect.die(defect)
        )
        return slots.use(share, () => turns.withPermit(share)(Effect.uninterruptible(computed)))
      }
    })
  })
