import { type Result, Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"

/** A pure function for worker threads, with the encoding of its input and result. */
export interface Computation<I, A, E> {
  readonly name: string
  /** Runs the function. For an input of many items, stops after the first one that exceeds `turn` milliseconds. */
  readonly run: (input: I, turn: number) => Result.Result<A, E>
  readonly encodeInput: (input: I) => unknown
  readonly decodeResult: (result: unknown) => Result.Result<A, E>
  /** The same as `run`, from an encoded input to an encoded result. */
  readonly runEncoded: (input: unknown, turn: number) => unknown
}

/** Declares a computation. Its schemas must encode to JSON. */
export const computation = <I, A, E = never>(
  name: string,
  schemas: {
    readonly input: Schema.Codec<I, unknown>
    readonly success: Schema.Codec<A, unknown>
    readonly error?: Schema.Codec<E, unknown>
  },
  run: (input: I, turn: number) => Result.Result<A, E>
): Computation<I, A, E> => {
  const input = Schema.toCodecJson(schemas.input)
  const result = Schema.toCodecJson(Schema.Result(schemas.success, schemas.error ?? Schema.Never))
  const decodeInput = Schema.decodeUnknownSync(input)
  const encodeResult = Schema.encodeSync(result)
  return {
    name,
    run,
    encodeInput: Schema.encodeSync(input),
    decodeResult: Schema.decodeUnknownSync(result),
    runEncoded: (given, turn) => encodeResult(run(decodeInput(given), turn))
  }
}

/**
 * The requests to a worker thread: the name of a computation and its encoded input; the response is the encoded result,
 * and the milliseconds that it took.
 */
export class WorkerRpc extends RpcGroup.make(
  Rpc.make("Compute", {
    payload: { name: Schema.String, input: Schema.Unknown },
    success: Schema.Struct({ result: Schema.Unknown, millis: Schema.Finite })
  })
) {}
