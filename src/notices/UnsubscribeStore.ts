import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import type { KeyId } from "../KeyId.ts"

/**
 * Stores the keys whose notices are switched off, and the hashes of the links that do so. Times are milliseconds UTC.
 */
export class UnsubscribeStore extends Context.Service<
  UnsubscribeStore,
  {
    readonly isUnsubscribed: (keyId: KeyId) => Effect.Effect<boolean>
    /** Returns false if the key was unsubscribed before. */
    readonly unsubscribe: (keyId: KeyId, at: number) => Effect.Effect<boolean>
    /** Returns false if the key was not unsubscribed. */
    readonly subscribe: (keyId: KeyId) => Effect.Effect<boolean>
    readonly addLink: (hash: string, keyId: KeyId, at: number) => Effect.Effect<void>
    readonly findByLink: (hash: string) => Effect.Effect<Option.Option<KeyId>>
  }
>()("outreach-forecast/notices/UnsubscribeStore") {
  static readonly layerMemory = Layer.effect(
    UnsubscribeStore,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const unsubscribed = tables.table<true>("unsubscribed_keys")
      const links = tables.table<KeyId>("unsubscribe_links")
      return UnsubscribeStore.of({
        isUnsubscribed: (keyId) => Effect.sync(() => unsubscribed.has(keyId)),
        unsubscribe: (keyId) =>
          Effect.sync(() => {
            const isNew = !unsubscribed.has(keyId)
            unsubscribed.set(keyId, true)
            return isNew
          }),
        subscribe: (keyId) => Effect.sync(() => unsubscribed.delete(keyId)),
        addLink: (hash, keyId) => Effect.sync(() => links.set(hash, keyId)),
        findByLink: (hash) => Effect.sync(() => Option.fromUndefinedOr(links.get(hash)))
      })
    })
  )
}
