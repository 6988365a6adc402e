import { Effect, Exit, Queue, Schema } from "effect"

/** More waits than can be done in good time; nothing was begun. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {}) {}

interface Waiting<Item, A, E> {
  readonly item: Item
  readonly resume: (exit: Exit.Exit<A, E | Overloaded>) => void
}

/** How many batches may run at the same time, and how many items one may have. */
export interface Batching {
  readonly atOnce: number
  readonly largest: number
}

/**
 * Makes an operation on many items into one on a single item: those that arrive while others are being done are done
 * together, so that they share one statement or one commit, and one that comes alone waits for nobody. `run` has an
 * exit for each item, in order; where it fails as a whole, all of its items do. At most `capacity` wait; who comes after
 * them fails with Overloaded.
 */
export const batched = Effect.fnUntraced(function* <Item, A, E>(
  { atOnce, capacity, largest }: Batching & { readonly capacity: number },
  run: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Exit.Exit<A, E>>>
) {
  const queue = yield* Queue.dropping<Waiting<Item, A, E>>(capacity)
  const runAll = Effect.fnUntraced(function* (waiting: ReadonlyArray<Waiting<Item, A, E>>) {
    const exits = yield* Effect.exit(run(waiting.map(({ item }) => item)))
    waiting.forEach(({ resume }, i) =>
      resume(
        Exit.isSuccess(exits)
          ? (exits.value[i] ?? Exit.die(new Error("An item has no exit")))
          : Exit.failCause(exits.cause)
      )
    )
  })
  yield* Queue.takeBetween(queue, 1, largest).pipe(
    Effect.flatMap(runAll),
    Effect.forever,
    Effect.forkScoped,
    Effect.replicateEffect(atOnce, { discard: true })
  )
  return (item: Item) =>
    Effect.callback<A, E | Overloaded>((resume) => {
      if (!Queue.offerUnsafe(queue, { item, resume })) resume(Exit.fail(new Overloaded()))
    })
})
