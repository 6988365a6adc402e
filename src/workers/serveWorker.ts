import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeWorkerRunner from "@effect/platform-node/NodeWorkerRunner"
import { Effect, Layer } from "effect"
import { RpcServer } from "effect/rpc"
import { type Computation, WorkerRpc } from "./Computation.ts"

/** The length of a piece of work with short items, in milliseconds. */
const turn = 10

/** The program of a worker thread: runs the requested computations one at a time. */
export const serveWorker = (
  computations: ReadonlyArray<Pick<Computation<never, unknown, unknown>, "name" | "runEncoded">>
): void => {
  const byName = new Map(computations.map((computation) => [computation.name, computation]))
  const server = RpcServer.layer(WorkerRpc, { disableTracing: true, disableFatalDefects: true }).pipe(
    Layer.provide(
      WorkerRpc.toLayer({
        Compute: ({ input, name }) =>
          Effect.sync(() => {
            const computation = byName.get(name)
            if (computation === undefined) throw new Error(`No worker thread computes ${name}`)
            const begun = performance.now()
            const result = computation.runEncoded(input, turn)
            return { result, millis: performance.now() - begun }
          })
      })
    ),
    Layer.provide(RpcServer.layerProtocolWorkerRunner),
    Layer.provide(NodeWorkerRunner.layer)
  )
  NodeRuntime.runMain(Layer.launch(server))
}
