import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../database/Transaction.ts"
import type { ApiKey, KeyId } from "./ApiKey.ts"

/** Where key records are kept. Secrets and live addresses are unique; a new record that breaks this is a defect. */
export class KeyStore extends Context.Service<
  KeyStore,
  {
    readonly insert: (key: ApiKey) => Effect.Effect<void>
    /** Replaces the record with the same id. */
    readonly update: (key: ApiKey) => Effect.Effect<void>
    readonly findById: (id: KeyId) => Effect.Effect<Option.Option<ApiKey>>
    readonly findBySecretHash: (hash: string) => Effect.Effect<Option.Option<ApiKey>>
    /** The records whose shown prefix is this one. */
    readonly findByPrefix: (prefix: string) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** The record of an address that is not revoked. */
    readonly findLiveByEmail: (email: string) => Effect.Effect<Option.Option<ApiKey>>
    readonly findDemo: Effect.Effect<Option.Option<ApiKey>>
    /** All records, oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<ApiKey>>
  }
>()("outreach-forecast/keys/KeyStore") {
  static readonly layerMemory = Layer.effect(
    KeyStore,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const keys = tables.make<ApiKey>()
      const find = (matches: (key: ApiKey) => boolean) =>
        Effect.sync(() => Option.fromUndefinedOr([...keys.values()].find(matches)))
      const isLive = (email: string) => (key: ApiKey) => key.owner.email === email && key.state !== "revoked"
      const put = (key: ApiKey) =>
        Effect.suspend(() => {
          const taken = [...keys.values()].some(
            (other) =>
              other.id !== key.id &&
              (other.secretHash === key.secretHash || (key.state !== "revoked" && isLive(key.owner.email)(other)))
          )
          return taken
            ? Effect.die(new Error("The secret or the address is taken"))
            : Effect.sync(() => keys.set(key.id, key))
        })
      return KeyStore.of({
        insert: put,
        update: put,
        findById: (id) => Effect.sync(() => Option.fromUndefinedOr(keys.get(id))),
        findBySecretHash: (hash) => find((key) => key.secretHash === hash),
        findByPrefix: (prefix) => Effect.sync(() => [...keys.values()].filter((key) => key.secretPrefix === prefix)),
        findLiveByEmail: (email) => find(isLive(email)),
        findDemo: find((key) => key.isDemo),
        list: Effect.sync(() => [...keys.values()])
      })
    })
  )
}
