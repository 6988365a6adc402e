import { type Result, Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"

/** The steps of a function, which may pause after each of them; the last one is its result. */
export type Steps<S, R> = Iterator<S, R, void>

/** Takes steps for so many milliseconds, but at least one. */
export const takeSteps = <S, R>(steps: Steps<S, R>, millis: number): IteratorResult<S, R> => {
  const end = performance.now() + millis
  for (;;) {
    const taken = steps.next()
    if (taken.done === true || performance.now() >= end) return taken
  }
}

/** Takes all steps, and returns the result. */
export const takeAllSteps = <S, R>(steps: Steps<S, R>): R => {
  let taken = steps.next()
  while (taken.done !== true) taken = steps.next()
  return taken.value
}

/** A pure function for worker threads, with the encoding of its input, its steps and its result. */
export interface Computation<I, A, E, S = never> {
  readonly name: string
  readonly steps: (input: I) => Steps<S, Result.Result<A, E>>
  readonly encodeInput: (input: I) => unknown
  readonly decodeStep: (step: unknown) => S
  readonly decodeResult: (result: unknown) => Result.Result<A, E>
  /** The same as `steps`, from an encoded input to encoded steps and an encoded result. */
  readonly encodedSteps: (input: unknown) => Steps<unknown, unknown>
}

/** A computation in one step. */
export interface OneStep<I, A, E> extends Computation<I, A, E> {
  readonly run: (input: I) => Result.Result<A, E>
}

interface Schemas<I, A, E> {
  readonly input: Schema.Codec<I, unknown>
  readonly success: Schema.Codec<A, unknown>
  readonly error?: Schema.Codec<E, unknown>
}

/** Declares a computation that may pause after each step. Its schemas must encode to JSON. */
export const computationInSteps = <I, A, S, E = never>(
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

/** Declares a computation in one step. */
export const computation = <I, A, E = never>(
  name: string,
  schemas: Schemas<I, A, E>,
  run: OneStep<I, A, E>["run"]
): OneStep<I, A, E> => {
  const steps = (input: I): Steps<never, Result.Result<A, E>> => ({ next: () => ({ done: true, value: run(input) }) })
  return { ...computationInSteps(name, { ...schemas, step: Schema.Never }, steps), run }
}

const Session = { session: Schema.Int }

/** A piece of a computation: its encoded result if it is done, otherwise its last step; and the milliseconds it took. */
const Piece = Schema.Struct({ done: Schema.Boolean, value: Schema.Unknown, millis: Schema.Finite })

/**
 * The requests to a worker thread. It takes the first step of a computation by itself; while more are left, it keeps
 * the computation for a session, until that ends. It answers null for a session that it does not know.
 */
export class WorkerRpc extends RpcGroup.make(
  Rpc.make("Begin", { payload: { ...Session, name: Schema.String, input: Schema.Unknown }, success: Piece }),
  Rpc.make("Continue", { payload: Session, success: Schema.NullOr(Piece) }),
  Rpc.make("End", { payload: Session })
) {}
