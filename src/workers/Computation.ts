import { type Result, Schema } from "effect"

/** A pure function that worker threads can compute, and how its input and result get to a thread and back. */
export interface Computation<I, A, E> {
  readonly name: string
  /** Computes. If the input has many items, ends after the first one that takes it past `turn` milliseconds. */
  readonly run: (input: I, turn: number) => Result.Result<A, E>
  readonly encodeInput: (input: I) => unknown
  readonly decodeResult: (result: unknown) => Result.Result<A, E>
  /** The same as `run`, from an encoded input to an encoded result. */
  readonly runEncoded: (input: unknown, turn: number) => unknown
}

/** Declares a computation. Its schemas are of JSON. */
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
