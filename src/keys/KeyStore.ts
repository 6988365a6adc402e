import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import { type ApiKey, isLive, isSameAddress, type KeySecretRecord } from "./ApiKey.ts"
import type { KeyId, SubKeyId } from "../KeyId.ts"
import { mailboxOf } from "./Mailbox.ts"
import type { SecretSubKey } from "./subkeys/SubKey.ts"

/** A secret with the key that it belongs to, and its sub-key if it is the secret of one. */
export interface FoundSecret {
  readonly secret: KeySecretRecord
  readonly key: ApiKey
  readonly subKey: SecretSubKey | undefined
}

/**
 * Stores key records and their secrets. Secrets are unique, and so are the addresses of live keys; writing a duplicate
 * is a defect.
 */
export class KeyStore extends Context.Service<
  KeyStore,
  {
    readonly insert: (key: ApiKey) => Effect.Effect<void>
    /** Replaces the record with the same id. */
    readonly update: (key: ApiKey) => Effect.Effect<void>
    readonly findById: (id: KeyId) => Effect.Effect<Option.Option<ApiKey>>
    /** The records with a secret of their own with this shown prefix. */
    readonly findByPrefix: (prefix: string) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** The records of an address, ignoring case, including revoked ones, oldest first. */
    readonly findByEmail: (email: string) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** The records of all addresses with this normal form, as `findByEmail`. */
    readonly findByMailbox: (mailbox: string) => Effect.Effect<ReadonlyArray<ApiKey>>
    readonly findDemo: Effect.Effect<Option.Option<ApiKey>>
    /** All records, oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<ApiKey>>
    /** The existing secrets with these hashes, by hash. */
    readonly findSecrets: (hashes: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, FoundSecret>>
    /** The secrets of a key, or of one of its sub-keys, oldest first. */
    readonly secretsOf: (keyId: KeyId, subKeyId?: SubKeyId) => Effect.Effect<ReadonlyArray<KeySecretRecord>>
    /** Adds a secret, or replaces the one with the same hash. */
    readonly putSecret: (secret: KeySecretRecord) => Effect.Effect<void>
    readonly deleteSecret: (hash: string) => Effect.Effect<void>
    /** Deletes all secrets of a key and of its sub-keys. */
    readonly deleteSecretsOf: (keyId: KeyId) => Effect.Effect<void>
    /**
     * Makes the secrets of a key, or of one of its sub-keys, end at a time, unless they end before, and deletes those that
     * have ended by `now`.
     */
    readonly endSecrets: (keyId: KeyId, at: number, now: number, subKeyId?: SubKeyId) => Effect.Effect<void>
  }
>()("outreach-forecast/keys/KeyStore") {
  static readonly layerMemory = Layer.effect(
    KeyStore,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const keys = tables.table<ApiKey>("api_keys")
      const secrets = tables.table<KeySecretRecord>("key_secrets")
      const subKeys = tables.table<SecretSubKey>("sub_keys")
      const secretsOf = (keyId: KeyId, subKeyId?: SubKeyId) =>
        [...secrets.values()].filter((secret) => secret.keyId === keyId && secret.subKeyId === subKeyId)
      const filter = (matches: (key: ApiKey) => boolean) => Effect.sync(() => [...keys.values()].filter(matches))
      const isTaken = (key: ApiKey) =>
        isLive(key) &&
        [...keys.values()].some(
          (other) => other.id !== key.id && isLive(other) && isSameAddress(other.owner.email, key.owner.email)
        )
      const put = (key: ApiKey) =>
        Effect.suspend(() =>
          isTaken(key) ? Effect.die(new Error("The address is taken")) : Effect.sync(() => keys.set(key.id, key))
        )
      return KeyStore.of({
        insert: put,
        update: put,
        findById: (id) => Effect.sync(() => Option.fromUndefinedOr(keys.get(id))),
        findByPrefix: (prefix) =>
          filter((key) => key.secretPrefix === prefix || secretsOf(key.id).some((secret) => secret.prefix === prefix)),
        findByEmail: (email) => filter((key) => isSameAddress(key.owner.email, email)),
        findByMailbox: (mailbox) => filter((key) => mailboxOf(key.owner.email) === mailbox),
        findDemo: Effect.map(
          filter((key) => key.isDemo),
          ([demo]) => Option.fromUndefinedOr(demo)
        ),
        list: filter(() => true),
        findSecrets: (hashes) =>
          Effect.sync(() => {
            const found = new Map<string, FoundSecret>()
            for (const hash of hashes) {
              const secret = secrets.get(hash)
              const key = secret && keys.get(secret.keyId)
              if (secret && key) found.set(hash, { secret, key, subKey: subKeys.get(secret.subKeyId ?? "") })
            }
            return found
          }),
        secretsOf: (keyId, subKeyId) => Effect.sync(() => secretsOf(keyId, subKeyId)),
        putSecret: (secret) =>
          Effect.suspend(() =>
            keys.has(secret.keyId)
              ? Effect.sync(() => secrets.set(secret.hash, secret))
              : Effect.die(new Error("The secret's key does not exist"))
          ),
        deleteSecret: (hash) => Effect.sync(() => secrets.delete(hash)),
        deleteSecretsOf: (keyId) =>
          Effect.sync(() => {
            for (const secret of secrets.values()) if (secret.keyId === keyId) secrets.delete(secret.hash)
          }),
        endSecrets: (keyId, at, now, subKeyId) =>
          Effect.sync(() => {
            for (const secret of secretsOf(keyId, subKeyId)) {
              const expiresAt = Math.min(secret.expiresAt ?? at, at)
              if (expiresAt <= now) secrets.delete(secret.hash)
              else secrets.set(secret.hash, { ...secret, expiresAt })
            }
          })
      })
    })
  )
}
