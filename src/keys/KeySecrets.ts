import { Clock, Context, Duration, Effect, Layer, type Redacted } from "effect"
import { Settings } from "../Settings.ts"
import type { ApiKey } from "./ApiKey.ts"
import type { KeyId, SubKeyId } from "../KeyId.ts"
import * as KeySecret from "./KeySecret.ts"
import { KeyStore } from "./KeyStore.ts"
import type { SubKey } from "./subkeys/SubKey.ts"
import { SubKeyStore } from "./subkeys/SubKeyStore.ts"

/** A key with a new secret, which cannot be shown later. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly secret: Redacted.Redacted
}

/** The same for a sub-key. */
export interface IssuedSubKey {
  readonly subKey: SubKey
  readonly secret: Redacted.Redacted
}

/**
 * Creates the secrets of keys and sub-keys, stores their hashes, and ends replaced ones; in the caller's transaction.
 */
export class KeySecrets extends Context.Service<
  KeySecrets,
  {
    /** Gives a recorded key a new secret and shows its prefix on the key; `linkId` is the link that reveals it, if any. */
    readonly issue: (key: ApiKey, linkId?: string) => Effect.Effect<IssuedKey>
    /** Gives a recorded sub-key a new secret and shows its prefix on the sub-key. */
    readonly issueSubKey: (subKey: SubKey) => Effect.Effect<IssuedSubKey>
    /** Makes a given secret the only one of a key, without changing the key's shown prefix. */
    readonly set: (key: ApiKey, secret: Redacted.Redacted) => Effect.Effect<void>
    /**
     * Ends all secrets of a key, or of one of its sub-keys, after a grace period, unless they expire earlier, and
     * deletes ended ones: with a grace period of 0, all of them. Returns the time when they end, in milliseconds UTC.
     */
    readonly expire: (keyId: KeyId, gracePeriod: Duration.Duration, subKeyId?: SubKeyId) => Effect.Effect<number>
    /** Deletes the secrets of a key that a link revealed and that were never used. */
    readonly deleteUnused: (keyId: KeyId) => Effect.Effect<void>
  }
>()("outreach-forecast/keys/KeySecrets") {
  static readonly layer = Layer.effect(
    KeySecrets,
    Effect.gen(function* () {
      const { environment } = yield* Settings
      const store = yield* KeyStore
      const subKeys = yield* SubKeyStore
      const newSecret = yield* KeySecret.makeNewSecret(environment)

      const record = Effect.fnUntraced(function* (
        holder: { readonly keyId: KeyId; readonly subKeyId?: SubKeyId; readonly linkId?: string | undefined },
        prefix: string,
        secret: Redacted.Redacted
      ) {
        yield* store.putSecret({
          hash: KeySecret.hashOf(secret),
          keyId: holder.keyId,
          subKeyId: holder.subKeyId,
          prefix,
          linkId: holder.linkId,
          createdAt: yield* Clock.currentTimeMillis,
          firstUsedAt: undefined,
          expiresAt: undefined
        })
      })

      const issue = Effect.fn("KeySecrets.issue")(function* (key: ApiKey, linkId?: string) {
        const secret = yield* newSecret
        const issued: ApiKey = { ...key, secretPrefix: KeySecret.shownPrefix(secret, environment) }
        yield* store.update(issued)
        yield* record({ keyId: key.id, linkId }, issued.secretPrefix, secret)
        return { key: issued, secret }
      })

      const issueSubKey = Effect.fn("KeySecrets.issueSubKey")(function* (subKey: SubKey) {
        const secret = yield* newSecret
        const issued: SubKey = { ...subKey, secretPrefix: KeySecret.shownPrefix(secret, environment) }
        yield* subKeys.update(issued)
        yield* record({ keyId: subKey.keyId, subKeyId: subKey.id }, issued.secretPrefix, secret)
        return { subKey: issued, secret }
      })

      const set = Effect.fn("KeySecrets.set")(function* (key: ApiKey, secret: Redacted.Redacted) {
        for (const { hash } of yield* store.secretsOf(key.id)) yield* store.deleteSecret(hash)
        yield* record({ keyId: key.id }, key.secretPrefix, secret)
      })

      const expire = Effect.fn("KeySecrets.expire")(function* (
        keyId: KeyId,
        gracePeriod: Duration.Duration,
        subKeyId?: SubKeyId
      ) {
        const now = yield* Clock.currentTimeMillis
        const end = now + Duration.toMillis(gracePeriod)
        yield* store.endSecrets(keyId, end, now, subKeyId)
        return end
      })

      const deleteUnused = Effect.fn("KeySecrets.deleteUnused")(function* (keyId: KeyId) {
        for (const { firstUsedAt, hash, linkId } of yield* store.secretsOf(keyId)) {
          if (linkId !== undefined && firstUsedAt === undefined) yield* store.deleteSecret(hash)
        }
      })

      return KeySecrets.of({ issue, issueSubKey, set, expire, deleteUnused })
    })
  )
}
