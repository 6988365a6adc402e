import { Array as Arr, Clock, Context, Effect, Layer, type Option } from "effect"
import { MemoryTables } from "../../database/MemoryTables.ts"
import type { KeyId, SubKeyId } from "../../KeyId.ts"
import { foldedName, isUsable, type SubKey } from "./SubKey.ts"
import { monthOf } from "../../text/Times.ts"

/** At most this many sub-keys, after the given one in the list. */
export interface SubKeysPage {
  readonly limit: number
  readonly after?: Pick<SubKey, "createdAt" | "id"> | undefined
}

/** The name of sub-keys whose owner was erased. */
export const erasedName = "erased"

/** Stores sub-keys. The folded names of the usable ones of a key are unique; a duplicate is a defect. */
export class SubKeyStore extends Context.Service<
  SubKeyStore,
  {
    readonly insert: (subKey: SubKey) => Effect.Effect<void>
    /** Replaces name, limit, prefix and revocation of the record with the same ID; the ledger records its spending. */
    readonly update: (subKey: SubKey) => Effect.Effect<void>
    readonly findById: (id: SubKeyId) => Effect.Effect<Option.Option<SubKey>>
    /** The sub-keys with this shown prefix. */
    readonly findByPrefix: (prefix: string) => Effect.Effect<ReadonlyArray<SubKey>>
    /** The usable sub-keys of a key, oldest first. */
    readonly usableOf: (keyId: KeyId) => Effect.Effect<ReadonlyArray<SubKey>>
    /** The sub-keys of a key that are usable or were revoked after a time, oldest first. */
    readonly listOf: (keyId: KeyId, revokedAfter: number, page: SubKeysPage) => Effect.Effect<ReadonlyArray<SubKey>>
    /** Revokes all sub-keys of a key and removes their names. */
    readonly eraseOf: (keyId: KeyId, at: number) => Effect.Effect<void>
  }
>()("outreach-forecast/keys/SubKeyStore") {
  static readonly layerMemory = Layer.effect(
    SubKeyStore,
    Effect.map(MemoryTables, (tables) => {
      const subKeys = tables.table<SubKey>("sub_keys")
      /** The stored months are the latest ones in which each spent a credit. */
      const now = (subKey: SubKey) =>
        Effect.map(Clock.currentTimeMillis, (millis): SubKey => {
          const month = monthOf(millis)
          return { ...subKey, month, requests: subKey.month === month ? subKey.requests : 0 }
        })
      const filter = (matches: (subKey: SubKey) => boolean) =>
        Effect.suspend(() => Effect.forEach([...subKeys.values()].filter(matches), now))
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
        findById: (id) =>
          Effect.map(
            filter((subKey) => subKey.id === id),
            Arr.head
          ),
        findByPrefix: (prefix) => filter(({ secretPrefix }) => secretPrefix === prefix),
        usableOf: (keyId) => filter((subKey) => subKey.keyId === keyId && isUsable(subKey)),
        listOf: (keyId, revokedAfter, { after, limit }) =>
          Effect.map(
            filter(({ revokedAt, ...subKey }) => subKey.keyId === keyId && (revokedAt ?? Infinity) > revokedAfter),
            (found) => {
              const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after.id) + 1
              return found.slice(start, start + limit)
            }
          ),
        eraseOf: (keyId, at) =>
          Effect.sync(() => {
            for (const subKey of subKeys.values()) {
              if (subKey.keyId !== keyId) continue
              subKeys.set(subKey.id, { ...subKey, name: erasedName, revokedAt: subKey.revokedAt ?? at })
            }
          })
      })
    })
  )
}
