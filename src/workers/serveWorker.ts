import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeWorkerRunner from "@effect/platform-node/NodeWorkerRunner"
import { Effect, Layer } from "effect"
import { RpcServer } from "effect/rpc"
import { type Computation, longestPiece, WorkerRpc } from "./Computation.ts"
import { type Steps, takeSteps } from "./Steps.ts"

/** The program of a worker thread: runs the requested computations, a piece at a time. */
export const serveWorker = (
  computations: ReadonlyArray<
    Pick<Computation<never, unknown, unknown, unknown>, "name" | "firstPiece" | "encodedSteps">
  >
): void => {
  const byName = new Map(computations.map((computation) => [computation.name, computation]))
  const sessions = new Map<number, Steps<unknown, unknown>>()

  const compute = (session: number, steps: Steps<unknown, unknown>, millis: number) => {
    const begun = performance.now()
    const { done = false, value } = takeSteps(steps, millis)
    if (done) sessions.delete(session)
    else sessions.set(session, steps)
    return { done, value, millis: performance.now() - begun }
  }

  const server = RpcServer.layer(WorkerRpc, { disableTracing: true, disableFatalDefects: true }).pipe(
    Layer.provide(
      WorkerRpc.toLayer({
        Begin: ({ input, name, session }) =>
          Effect.sync(() => {
            const computation = byName.get(name)
            if (computation === undefined) throw new Error(`No worker thread computes ${name}`)
            return compute(session, computation.encodedSteps(input), computation.firstPiece)
          }),
        Continue: ({ session }) =>
          Effect.sync(() => {
            const steps = sessions.get(session)
            return steps === undefined ? null : compute(session, steps, longestPiece)
          }),
        End: ({ session }) => Effect.sync(() => void sessions.delete(session))
      })
    ),
    Layer.provide(RpcServer.layerProtocolWorkerRunner),
    Layer.provide(NodeWorkerRunner.layer)
  )
  NodeRuntime.runMain(Layer.launch(server))
}
