import { randomBase62 } from "../../Randomness.ts"
import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Transaction } from "../../database/Transaction.ts"
import { type KeyId, SubKeyId } from "../../KeyStatus.ts"
import { type Actor, AuditLog } from "../../keys/AuditLog.ts"
import { ApiKeys } from "../../keys/ApiKeys.ts"
import { type IssuedSubKey, KeySecrets } from "../../keys/KeySecrets.ts"
import { foldedName, isUsable, keptAfterRevocation, type SubKey } from "../../keys/SubKey.ts"
import { SubKeyStore, type SubKeysPage } from "../../keys/SubKeyStore.ts"
import { Limits, type RateLimited } from "../../Limits.ts"
import { monthOf } from "../../text/Times.ts"

/** The key has no sub-key with this ID, or it was revoked and can no longer be changed. */
export class SubKeyNotFound extends Schema.TaggedError<SubKeyNotFound>()("SubKeyNotFound", {}) {}

/** A usable sub-key of the key already has a name that looks the same. */
export class SubKeyNameTaken extends Schema.TaggedError<SubKeyNameTaken>()("SubKeyNameTaken", {
  takenName: Schema.String,
  id: Schema.String
}) {}

/** The key has as many usable sub-keys as it may have. */
export class TooManySubKeys extends Schema.TaggedError<TooManySubKeys>()("TooManySubKeys", { most: Schema.Int }) {}

/** The most usable sub-keys of a key. */
export const maxSubKeys = 25

/** The most sub-keys of a key that may be created in an hour: their records are kept for 90 days. */
const createdPerHour = 100

/** The most changes of a sub-key in an hour: each is recorded. */
const changesPerHour = 20

/** A sub-key with its new secret, the prefix of the old one, and the time when that ends; milliseconds UTC. */
interface RotatedSubKey extends IssuedSubKey {
  readonly oldPrefix: string
  readonly oldSecretValidUntil: number
}

/** The name and the limit of a sub-key, as chosen by the owner of the key. */
export type SubKeyTerms = Pick<SubKey, "name" | "monthlyLimit">

/** The sub-keys of keys. A change applies from the next request on. */
export class SubKeys extends Context.Service<
  SubKeys,
  {
    /** Creates a usable sub-key of a key. */
    readonly create: (keyId: KeyId, terms: SubKeyTerms) => Effect.Effect<IssuedSubKey, SubKeyNameTaken | TooManySubKeys>
    /** Counts the creation of a sub-key by the owner of a key. */
    readonly countCreation: (keyId: KeyId) => Effect.Effect<void, RateLimited>
    /** The usable sub-keys of a key, oldest first. */
    readonly usableOf: (keyId: KeyId) => Effect.Effect<ReadonlyArray<SubKey>>
    /** The sub-keys of a key that are usable or were revoked in the last 90 days, oldest first. */
    readonly listOf: (keyId: KeyId, page: SubKeysPage) => Effect.Effect<ReadonlyArray<SubKey>>
    /** Finds one of the listed sub-keys. */
    readonly find: (keyId: KeyId, id: SubKeyId) => Effect.Effect<SubKey, SubKeyNotFound>
    readonly change: (
      keyId: KeyId,
      id: SubKeyId,
      terms: Partial<SubKeyTerms>
    ) => Effect.Effect<SubKey, SubKeyNotFound | SubKeyNameTaken>
    /** Counts a change of a sub-key by the owner of its key. */
    readonly countChange: (subKey: SubKey) => Effect.Effect<void, RateLimited>
    /** Gives a sub-key a new secret; its old ones stay valid for at most `graceHours` more. */
    readonly rotate: (keyId: KeyId, id: SubKeyId, graceHours: number) => Effect.Effect<RotatedSubKey, SubKeyNotFound>
    /** Permanently revokes a sub-key; a revoked one stays as it is. */
    readonly revoke: (keyId: KeyId, id: SubKeyId, actor: Actor) => Effect.Effect<SubKey, SubKeyNotFound>
  }
>()("outreach-forecast/keys/SubKeys") {
  static readonly layer = Layer.effect(
    SubKeys,
    Effect.gen(function* () {
      const { count } = yield* Limits
      const store = yield* SubKeyStore
      const apiKeys = yield* ApiKeys
      const secrets = yield* KeySecrets
      const audit = yield* AuditLog
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom
      const newId = Effect.map(randomBase62(random, 16), (text) => SubKeyId.make(`sub_${text}`))

      const findOf = Effect.fnUntraced(function* (keyId: KeyId, id: SubKeyId) {
        const found = Option.filter(yield* store.findById(id), (subKey) => subKey.keyId === keyId)
        return yield* Effect.mapError(Effect.fromOption(found), () => new SubKeyNotFound())
      })

      const findUsable = (keyId: KeyId, id: SubKeyId) =>
        Effect.filterOrFail(findOf(keyId, id), isUsable, () => new SubKeyNotFound())

      const assertFree = (name: string, others: ReadonlyArray<SubKey>) => {
        const taken = others.find((other) => foldedName(other.name) === foldedName(name))
        return taken === undefined
          ? Effect.void
          : Effect.fail(new SubKeyNameTaken({ takenName: taken.name, id: taken.id }))
      }

      const create = Effect.fn("SubKeys.create")(function* (keyId: KeyId, terms: SubKeyTerms) {
        const others = yield* store.usableOf(keyId)
        yield* assertFree(terms.name, others)
        if (others.length >= maxSubKeys) return yield* new TooManySubKeys({ most: maxSubKeys })
        const now = yield* Clock.currentTimeMillis
        const { createdAt: latest = 0 } = others.at(-1) ?? {}
        const subKey: SubKey = {
          ...terms,
          id: yield* newId,
          keyId,
          secretPrefix: "",
          // Those of one form are created within a millisecond, and listed in the order in which they were typed.
          createdAt: Math.max(now, latest + 1),
          revokedAt: undefined,
          lastUsedAt: undefined,
          month: monthOf(now),
          requests: 0
        }
        yield* store.insert(subKey)
        yield* audit.append(keyId, "owner", "sub_key_created", subKey.id)
        return yield* secrets.issueSubKey(subKey)
      }, transaction.run)

      const listedAfter = Effect.map(Clock.currentTimeMillis, (now) => now - keptAfterRevocation)

      const listOf = Effect.fn("SubKeys.listOf")(function* (keyId: KeyId, page: SubKeysPage) {
        return yield* store.listOf(keyId, yield* listedAfter, page)
      })

      const find = Effect.fn("SubKeys.find")(function* (keyId: KeyId, id: SubKeyId) {
        const after = yield* listedAfter
        const isListed = ({ revokedAt = Infinity }: SubKey) => revokedAt > after
        return yield* Effect.filterOrFail(findOf(keyId, id), isListed, () => new SubKeyNotFound())
      })

      const change = Effect.fn("SubKeys.change")(function* (keyId: KeyId, id: SubKeyId, terms: Partial<SubKeyTerms>) {
        const subKey = yield* findUsable(keyId, id)
        const changed = { ...subKey, ...terms }
        if (changed.name === subKey.name && changed.monthlyLimit === subKey.monthlyLimit) return subKey
        yield* assertFree(
          changed.name,
          (yield* store.usableOf(keyId)).filter((other) => other.id !== id)
        )
        yield* store.update(changed)
        yield* audit.append(keyId, "owner", "sub_key_changed", id)
        return changed
      }, transaction.run)

      const rotate = Effect.fn("SubKeys.rotate")(function* (keyId: KeyId, id: SubKeyId, graceHours: number) {
        const subKey = yield* findUsable(keyId, id)
        const oldSecretValidUntil = yield* secrets.expire(keyId, Duration.hours(graceHours), id)
        yield* audit.append(keyId, "owner", "sub_key_rotated", id)
        const issued = yield* secrets.issueSubKey(subKey)
        return { ...issued, oldSecretValidUntil, oldPrefix: subKey.secretPrefix }
      }, transaction.run)

      const revoke = Effect.fn("SubKeys.revoke")(function* (keyId: KeyId, id: SubKeyId, actor: Actor) {
        const revoked = yield* apiKeys.revokeSubKey(keyId, id, actor)
        return yield* Effect.mapError(Effect.fromOption(revoked), () => new SubKeyNotFound())
      })

      return SubKeys.of({
        create,
        countCreation: (keyId) => count(`sub-keys ${keyId}`, createdPerHour),
        usableOf: store.usableOf,
        listOf,
        find,
        change,
        countChange: ({ id }) => count(`change ${id}`, changesPerHour),
        rotate,
        revoke
      })
    })
  ).pipe(Layer.provide([ApiKeys.layer, KeySecrets.layer, Limits.layer]))
}
