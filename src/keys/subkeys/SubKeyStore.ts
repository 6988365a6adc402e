import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../../database/MemoryTables.ts"
import type { KeyId, SubKeyId } from "../../KeyId.ts"
import { foldedName, isUsable, type SubKey } from "./SubKey.ts"

/** The sub-keys in memory, shared with the stores of secrets and of the ledger, which counts what they spend. */
export class MemorySubKeys extends Context.Service<MemorySubKeys, Map<string, SubKey>>()(
  "outreach-forecast/keys/MemorySubKeys"
) {
  static readonly layer = Layer.effect(
    MemorySubKeys,
    Effect.map(MemoryTables, ({ make }) => make<SubKey>())
  )
}

/** Stores sub-keys. The names of the usable ones of a key are unique, whatever their case; a duplicate is a defect. */
export class SubKeyStore extends Context.Service<
  SubKeyStore,
  {
    readonly insert: (subKey: SubKey) => Effect.Effect<void>
    /** Replaces name, limit, prefix and revocation of the record with the same ID; the ledger records its spending. */
    readonly update: (subKey: SubKey) => Effect.Effect<void>
    readonly findById: (id: SubKeyId) => Effect.Effect<Option.Option<SubKey>>
    /** The sub-keys with this shown prefix. */
    readonly findByPrefix: (prefix: string) => Effect.Effect<ReadonlyArray<SubKey>>
    /** All sub-keys of a key, including revoked ones, oldest first. */
    readonly listOf: (keyId: KeyId) => Effect.Effect<ReadonlyArray<SubKey>>
  }
>()("outreach-forecast/keys/SubKeyStore") {
  static readonly layerMemory = Layer.effect(
    SubKeyStore,
    Effect.map(MemorySubKeys, (subKeys) => {
      const filter = (matches: (subKey: SubKey) => boolean) => Effect.sync(() => [...subKeys.values()].filter(matches))
      const isTaken = (subKey: SubKey) =>
        isUsable(subKey) &&
        [...subKeys.values()].some(
          (other) =>
            other.id !== subKey.id &&
            other.keyId === subKey.keyId &&
            isUsable(other) &&
            foldedName(other.name) === foldedName(subKey.name)
        )
      const put = (subKey: SubKey) =>
        Effect.suspend(() =>
          isTaken(subKey)
            ? Effect.die(new Error("The name is taken"))
            : Effect.sync(() => void subKeys.set(subKey.id, subKey))
        )
      return SubKeyStore.of({
        insert: put,
        update: (changed) =>
          Effect.suspend(() => {
            const before = subKeys.get(changed.id)
            if (before === undefined) return Effect.void
            const { monthlyLimit, name, revokedAt, secretPrefix } = changed
            return put({ ...before, monthlyLimit, name, revokedAt, secretPrefix })
          }),
        findById: (id) => Effect.sync(() => Option.fromUndefinedOr(subKeys.get(id))),
        findByPrefix: (prefix) => filter(({ secretPrefix }) => secretPrefix === prefix),
        listOf: (keyId) => filter((subKey) => subKey.keyId === keyId)
      })
    })
  ).pipe(Layer.provide(MemorySubKeys.layer))
}
