import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"

/** The requests to a worker thread: the name of a computation and its encoded input; the response is the encoded result. */
export class WorkerRpc extends RpcGroup.make(
  Rpc.make("Compute", { payload: { name: Schema.String, input: Schema.Unknown }, success: Schema.Unknown })
) {}
