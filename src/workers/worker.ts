import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeWorkerRunner from "@effect/platform-node/NodeWorkerRunner"
import { Layer } from "effect"
import { RpcServer } from "effect/rpc"
import * as compute from "./compute.ts"
import { Computations } from "./Computations.ts"

/** How long a piece of work takes, in milliseconds, where its items are short. */
const turn = 10

/** The program of a worker thread: computes what it is sent, one message after another. */
const server = RpcServer.layer(Computations, { disableTracing: true, disableFatalDefects: true }).pipe(
  Layer.provide(compute.layer(turn)),
  Layer.provide(RpcServer.layerProtocolWorkerRunner),
  Layer.provide(NodeWorkerRunner.layer)
)

NodeRuntime.runMain(Layer.launch(server))
