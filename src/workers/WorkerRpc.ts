import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"

/** What is sent to a worker thread: the name of a computation and its encoded input, for its encoded result. */
export class WorkerRpc extends RpcGroup.make(
  Rpc.make("Compute", { payload: { name: Schema.String, input: Schema.Unknown }, success: Schema.Unknown })
) {}
