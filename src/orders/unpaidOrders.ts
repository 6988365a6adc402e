import { Effect } from "effect"
import type { KeyId } from "../KeyId.ts"
import { TooManyUnpaidOrders } from "./OrderFailures.ts"
import type { OrderStore } from "./OrderStore.ts"
import { makeTally } from "../Tally.ts"

/** Limits the orders of a key that await payment to `most`. */
export const makeUnpaidOrders = (store: OrderStore["Service"], most: number) => {
  /** The number of orders being placed by this process, by key. */
  const placing = makeTally<KeyId>()

  /** Fails unless a key may have `more` orders in addition to the stored ones. */
  const allow = Effect.fnUntraced(function* (keyId: KeyId, more: number) {
    if ((yield* store.countUnpaid(keyId)) + more > most) return yield* new TooManyUnpaidOrders({ most })
  })

  return {
    /** Fails unless a key may have one more; in the transaction that stores it, because other instances store orders too. */
    allowOne: (keyId: KeyId) => allow(keyId, 1),
    /** Places an order unless the key has reached the limit, including orders being placed at the same time. */
    within: <A, E, R>(keyId: KeyId, place: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        Effect.sync(() => placing.add(keyId, 1)),
        (count) => Effect.andThen(allow(keyId, count), place),
        () => Effect.sync(() => placing.add(keyId, -1))
      )
  }
}
