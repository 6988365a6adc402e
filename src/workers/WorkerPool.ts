import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import * as NodeWorker from "@effect/platform-node/NodeWorker"
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { RpcClient } from "effect/rpc"
import { RpcClientError } from "effect/rpc/RpcClientError"
import { makeSlots, Overloaded } from "../Limits.ts"
import { type Computation, WorkerRpc } from "./Computation.ts"
import { makeTurns } from "./Turns.ts"

/** The owner of a computation: a key, or a client that sent none. */
export type Caller = { readonly key: string } | { readonly client: string }

/** The most computations of one key. */
const maxOfKey = 100

/** The most computations of all clients without a key together, and of one of them before another one of it is done. */
const maxKeyless = { all: 50, atOnce: 1 }

/** The one holder of turns that all clients without a key are together, beside the IDs of keys. */
const keyless = "keyless"

/** The idle time after which a thread ends. */
const idleTime = "30 seconds"

/** A piece of a computation: its result if it is done, otherwise its last step; and the milliseconds that it took. */
type Piece<A, S> =
  | { readonly done: true; readonly value: A; readonly millis: number }
  | { readonly done: false; readonly value: S; readonly millis: number }

/** A computation that has begun. */
interface Begun<A, E, S> {
  readonly next: Effect.Effect<Piece<A, S>, E | Overloaded>
  readonly end: Effect.Effect<void>
}

/** Begins a computation; nothing is computed before its first piece. */
type Begin = <I, A, E, S>(computation: Computation<I, A, E, S>, input: I) => Begun<A, E, S>

/** Runs an effect around the next piece in a turn; it may fail before it computes the piece. */
export type NextPiece<A, E, S> = <B, F>(
  inTurn: (piece: Effect.Effect<Piece<A, S>, E | Overloaded>) => Effect.Effect<B, F>
) => Effect.Effect<B, F>

/** The program of a thread: a file of the build, or its source if the sources are run directly. */
const program = new URL(import.meta.url.endsWith(".ts") ? "../worker.ts" : "worker.js", import.meta.url)

/** Starts a thread without environment variables, and so without secrets. */
const spawn = () => new Worker(program, { env: {}, execArgv: [] })

const makeThread = Effect.gen(function* () {
  // It serves requests of several paused computations, one after another.
  const options = { minSize: 0, maxSize: 1, concurrency: Number.MAX_SAFE_INTEGER, timeToLive: idleTime } as const
  const thread = RpcClient.makeProtocolWorker(options).pipe(Effect.provide(NodeWorker.layer(spawn)), Effect.orDie)
  return yield* RpcClient.make(WorkerRpc, { disableTracing: true }).pipe(
    Effect.provideServiceEffect(RpcClient.Protocol, thread)
  )
})

type Client = Effect.Success<typeof makeThread>

/** A thread, and the number of pieces that it computes or that wait for it. */
interface Thread {
  readonly client: Effect.Effect<Client>
  pieces: number
}

/** Replaces a piece whose thread has ended. */
const catchEnded = <A, B>(piece: Effect.Effect<A>, replaced: () => Effect.Effect<B>): Effect.Effect<A | B> =>
  Effect.catchDefect(piece, (defect) => (defect instanceof RpcClientError ? replaced() : Effect.die(defect)))

const makeThreads = Effect.fnUntraced(function* (size: number) {
  const context = yield* Effect.context<Scope.Scope>()
  // Made when it is first needed, and not in the context of that request, which it outlives.
  const instead: (ofRequest: Context.Context<never>) => typeof context = () => context
  const lazily = Effect.cached(Effect.updateContext(makeThread, instead))
  const threads = yield* Effect.replicateEffect(
    Effect.map(lazily, (client): Thread => ({ client, pieces: 0 })),
    size
  )
  let last = 0
  /** The thread with the fewest pieces to compute: never one that is busy while another is free. */
  const freest = () => threads.reduce((a, b) => (b.pieces < a.pieces ? b : a))

  const begin: Begin = <I, A, E, S>(computation: Computation<I, A, E, S>, input: I): Begun<A, E, S> => {
    const { decodeResult, decodeStep, encodeInput, name } = computation
    const session = last++
    let thread: Thread | undefined
    const ask = <A, E>(own: Thread, request: (client: Client) => Effect.Effect<A, E>) => {
      own.pieces++
      return Effect.flatMap(own.client, request).pipe(Effect.orDie, Effect.ensuring(Effect.sync(() => own.pieces--)))
    }
    const first = Effect.suspend(() =>
      ask((thread = freest()), (client) => client.Begin({ session, name, input: encodeInput(input) }))
    )
    // A thread that ends fails the pieces of all clients.
    const firstOrAgain = catchEnded(first, () => first)
    const later = (own: Thread) =>
      catchEnded(
        ask(own, (client) => client.Continue({ session })),
        () => Effect.succeed(null)
      )
    let isDone = false
    return {
      next: Effect.suspend(() => (thread === undefined ? firstOrAgain : later(thread))).pipe(
        Effect.flatMap((piece): Effect.Effect<Piece<A, S>, E | Overloaded> => {
          if (piece === null) return Effect.fail(new Overloaded())
          const { done, millis, value } = piece
          isDone = done
          return done
            ? Effect.map(Effect.fromResult(decodeResult(value)), (value) => ({ done, millis, value }))
            : Effect.succeed({ done, millis, value: decodeStep(value) })
        })
      ),
      end: Effect.suspend(() =>
        thread === undefined || isDone
          ? Effect.void
          : Effect.flatMap(thread.client, (client) => Effect.ignore(client.End({ session })))
      )
    }
  }
  return begin
})

/** Runs computations in the thread of their caller, one step in a piece. */
const beginHere: Begin = <I, A, E, S>({ steps }: Computation<I, A, E, S>, input: I): Begun<A, E, S> => {
  const begun = steps(input)
  return {
    next: Effect.suspend((): Effect.Effect<Piece<A, S>, E> => {
      const start = performance.now()
      const taken = begun.next()
      const millis = performance.now() - start
      return taken.done === true
        ? Effect.map(Effect.fromResult(taken.value), (value) => ({ done: true, value, millis }))
        : Effect.succeed({ done: false, value: taken.value, millis })
    }),
    end: Effect.void
  }
}

/**
 * Threads for computations that would block the event loop. They take one piece of work of each key in turn, and one of
 * all clients without a key together: however much one of them requests, the others wait for only one piece of it.
 */
export class WorkerPool extends Context.Service<
  WorkerPool,
  {
    /**
     * Begins a computation, and ends it when the scope closes. Each piece waits for a turn, and has as many steps as
     * take 100 ms; the first one of a computation with reports has one step. Interruptible while it waits; once begun,
     * a piece is computed to its end. Fails with Overloaded if 100 computations of the key are in progress, and a later
     * piece if the thread has ended. Those of a client without a key are begun one after another; if there are 50 of
     * all these clients, the newest of whoever has the most fails.
     */
    readonly begin: <I, A, E, S>(
      caller: Caller,
      computation: Computation<I, A, E, S>,
      input: I
    ) => Effect.Effect<NextPiece<A, E, S>, Overloaded, Scope.Scope>
  }
>()("outreach-forecast/workers/WorkerPool") {
  /** One thread less than the cores that this process may use, at least one: started when needed, ended when idle. */
  static readonly layer = Layer.effect(
    WorkerPool,
    Effect.suspend(() => {
      const size = Math.max(1, availableParallelism() - 1)
      return Effect.map(makeThreads(size), (begin) => make(size, begin))
    })
    // Threads live in real time, even with a test clock.
  ).pipe(Layer.provide(Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())))

  /** Computes in the calling thread, one step in a turn, for tests: as many pieces at once as threads would. */
  static readonly layerMemoryOf = (threads: number) =>
    Layer.effect(
      WorkerPool,
      Effect.sync(() => make(threads, beginHere))
    )

  static readonly layerMemory = WorkerPool.layerMemoryOf(1)
}

const make = (size: number, begin: Begin) => {
  const refusal = () => new Overloaded()
  const ofKeys = makeSlots({ each: maxOfKey, refusal })
  const ofClients = makeSlots({ ...maxKeyless, refusal })
  const inTurn = makeTurns(size)
  /** A turn of these clients is the turn of one of them, which gets a thread when that of all comes. */
  const inTurnOfKeyless = makeTurns(1)

  const inTurnOf =
    (caller: Caller) =>
    <A, E>(piece: Effect.Effect<A, E>) =>
      "key" in caller ? inTurn(caller.key)(piece) : inTurnOfKeyless(caller.client)(inTurn(keyless)(piece))

  return WorkerPool.of({
    begin: Effect.fnUntraced(function* (caller, computation, input) {
      yield* "key" in caller ? ofKeys.enter(caller.key) : Effect.flatten(ofClients.enter(caller.client))
      const { next } = yield* Effect.acquireRelease(
        Effect.sync(() => begin(computation, input)),
        ({ end }) => end
      )
      return (around) => inTurnOf(caller)(Effect.uninterruptible(around(next)))
    })
  })
}
