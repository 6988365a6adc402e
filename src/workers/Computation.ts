import { type Result, Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import type { Steps } from "./Steps.ts"

/** The milliseconds after which a piece takes no further step: with its last step, it takes at most 100. */
export const longestPiece = 60

/** A pure function for worker threads, with the encoding of its input, its steps and its result. */
export interface Computation<I, A, E, S = void> {
  readonly name: string
  /** The milliseconds after which its first piece takes no further step. */
  readonly firstPiece: number
  readonly steps: (input: I) => Steps<S, Result.Result<A, E>>
  readonly encodeInput: (input: I) => unknown
  readonly decodeStep: (step: unknown) => S
  readonly decodeResult: (result: unknown) => Result.Result<A, E>
  /** The same as `steps`, from an encoded input to encoded steps and an encoded result. */
  readonly encodedSteps: (input: unknown) => Steps<unknown, unknown>
}

interface Schemas<I, A, E> {
  readonly input: Schema.Codec<I, unknown>
  readonly success: Schema.Codec<A, unknown>
  readonly error?: Schema.Codec<E, unknown>
}

/** Declares a computation that may pause after each step. Its schemas must encode to JSON. */
export const computation = <I, A, E = never>(
  name: string,
  schemas: Schemas<I, A, E>,
  steps: (input: I) => Steps<void, Result.Result<A, E>>
): Computation<I, A, E> => ({
  ...computationWithReports(name, { ...schemas, step: Schema.Void }, steps),
  firstPiece: longestPiece
})

/** The same, whose steps have values: its first step is a piece by itself, which decides whether others are taken. */
export const computationWithReports = <I, A, S, E = never>(
  name: string,
  schemas: Schemas<I, A, E> & { readonly step: Schema.Codec<S, unknown> },
  steps: (input: I) => Steps<S, Result.Result<A, E>>
): Computation<I, A, E, S> => {
  const input = Schema.toCodecJson(schemas.input)
  const step = Schema.toCodecJson(schemas.step)
  const result = Schema.toCodecJson(Schema.Result(schemas.success, schemas.error ?? Schema.Never))
  const decodeInput = Schema.decodeUnknownSync(input)
  const encodeStep = Schema.encodeSync(step)
  const encodeResult = Schema.encodeSync(result)
  return {
    name,
    firstPiece: 0,
    steps,
    encodeInput: Schema.encodeSync(input),
    decodeStep: Schema.decodeUnknownSync(step),
    decodeResult: Schema.decodeUnknownSync(result),
    encodedSteps: (given) => {
      const own = steps(decodeInput(given))
      return {
        next: () => {
          const taken = own.next()
          return taken.done === true
            ? { done: true, value: encodeResult(taken.value) }
            : { done: false, value: encodeStep(taken.value) }
        }
      }
    }
  }
}

const Session = { session: Schema.Int }

/** A piece of a computation: its encoded result or, until it is done, its last step; and the milliseconds it took. */
const Piece = Schema.Struct({ done: Schema.Boolean, value: Schema.Unknown, millis: Schema.Finite })

/**
 * The requests to a worker thread. While steps of a computation are left, it keeps the computation for a session, until
 * that ends. It answers null for a session that it does not know.
 */
export class WorkerRpc extends RpcGroup.make(
  Rpc.make("Begin", { payload: { ...Session, name: Schema.String, input: Schema.Unknown }, success: Piece }),
  Rpc.make("Continue", { payload: Session, success: Schema.NullOr(Piece) }),
  Rpc.make("End", { payload: Session })
) {}
