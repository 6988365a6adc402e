import { Effect } from "effect"
import type { KeyId } from "../KeyId.ts"
import { TooManyUnpaidOrders } from "./OrderFailures.ts"
import type { OrderStore } from "./OrderStore.ts"
import { makeTally } from "../Tally.ts"

/** Keeps keys from having more than `most` orders that await payment. */
export const makeUnpaidOrders = (store: OrderStore["Service"], most: number) => {
  /** How many orders of a key are being placed here. */
  const placing = makeTally<KeyId>()

  /** Fails unless a key may have `more` orders in addition to those that are stored. */
  const allow = Effect.fnUntraced(function* (keyId: KeyId, more: number) {
    if ((yield* store.countUnpaid(keyId)) + more > most) return yield* new TooManyUnpaidOrders({ most })
  })

  return {
    /** Fails unless a key may have one more; in the transaction that stores it, because other instances store orders too. */
    allowOne: (keyId: KeyId) => allow(keyId, 1),
    /** Places an order unless the key has as many as it may, with those that are being placed at the same time. */
    within: <A, E, R>(keyId: KeyId, place: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        Effect.sync(() => placing.add(keyId, 1)),
        (count) => Effect.andThen(allow(keyId, count), place),
        () => Effect.sync(() => placing.add(keyId, -1))
      )
  }
}
