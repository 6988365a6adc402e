import { hash } from "node:crypto"
import { crc32 } from "node:zlib"
import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Settings } from "../Settings.ts"
import type { ApiKey } from "./ApiKey.ts"
import type { KeyId, SubKeyId } from "../KeyStatus.ts"
import { base62Digits, randomBase62 } from "../Randomness.ts"
import type { Environment } from "../settings/Environment.ts"
import { type InvalidKey, invalidKey, MissingKey } from "./KeyFailures.ts"
import { KeyStore } from "./KeyStore.ts"
import type { SubKey } from "./SubKey.ts"
import { SubKeyStore } from "./SubKeyStore.ts"

const randomLength = 32
const checksumLength = 6
const shownLength = 8

/**
 * The first characters of every secret of an environment: live keys work only in production, test keys only elsewhere.
 */
const prefixOf = (environment: Environment) => (environment === "production" ? "ofk_live_" : "ofk_test_")

const checksum = (text: string): string => {
  let rest = crc32(text)
  let encoded = ""
  for (let place = 0; place < checksumLength; place++) {
    encoded = base62Digits.charAt(rest % base62Digits.length) + encoded
    rest = Math.floor(rest / base62Digits.length)
  }
  return encoded
}

/** Creates a secret: prefix, 32 random base62 characters, and the CRC-32 of both as 6 base62 characters. */
export const newSecret = (
  random: SecureRandom.SecureRandom["Service"],
  environment: Environment
): Effect.Effect<Redacted.Redacted> =>
  Effect.map(randomBase62(random, randomLength), (text) => {
    const body = `${prefixOf(environment)}${text}`
    return Redacted.make(`${body}${checksum(body)}`)
  })

/** True if a text has the form and the checksum of a secret of this environment. */
export const isWellFormed = (text: string, environment: Environment): boolean => {
  const prefix = prefixOf(environment)
  const body = text.slice(0, -checksumLength)
  return (
    text.startsWith(prefix) &&
    body.length === prefix.length + randomLength &&
    /^[0-9A-Za-z]+$/.test(text.slice(prefix.length)) &&
    checksum(body) === text.slice(-checksumLength)
  )
}

/** The SHA-256 of a secret in hexadecimal, stored in its place. Secrets and tokens are random and need no salt. */
export const hashOf = (secret: Redacted.Redacted): string => hashOfText(Redacted.value(secret))

/** The same for a secret as it was sent. */
export const hashOfText = (text: string): string => hash("sha256", text, "hex")

// Created once: the stack trace of an error would dominate the cost of such a refusal.
const missing = Result.fail(new MissingKey())

/** The hash to look up a secret by. An empty text is missing, and one that cannot be a secret of ours is a typo. */
export const hashToFind = (
  secret: Redacted.Redacted,
  { demoKey, environment }: Pick<Settings["Service"], "demoKey" | "environment">
): Result.Result<string, MissingKey | InvalidKey> => {
  const text = Redacted.value(secret)
  if (text === "") return missing
  if (isWellFormed(text, environment)) return Result.succeed(hashOfText(text))
  if (Option.isNone(demoKey)) return invalidKey
  const hash = hashOfText(text)
  return hash === hashOf(demoKey.value.secret) ? Result.succeed(hash) : invalidKey
}

/** The first characters of a secret: enough to distinguish keys, far too few to guess the rest. */
export const shownPrefix = (secret: Redacted.Redacted, environment: Environment): string =>
  Redacted.value(secret).slice(0, prefixOf(environment).length + shownLength)

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
    /** Gives a recorded key a new secret, and shows its prefix on the key; `linkId` is the link that reveals it. */
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
      const random = yield* SecureRandom.SecureRandom

      const record = Effect.fnUntraced(function* (
        holder: { readonly keyId: KeyId; readonly subKeyId?: SubKeyId; readonly linkId?: string | undefined },
        prefix: string,
        secret: Redacted.Redacted
      ) {
        yield* store.putSecret({
          hash: hashOf(secret),
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
        const secret = yield* newSecret(random, environment)
        const issued: ApiKey = { ...key, secretPrefix: shownPrefix(secret, environment) }
        yield* store.update(issued)
        yield* record({ keyId: key.id, linkId }, issued.secretPrefix, secret)
        return { key: issued, secret }
      })

      const issueSubKey = Effect.fn("KeySecrets.issueSubKey")(function* (subKey: SubKey) {
        const secret = yield* newSecret(random, environment)
        const issued: SubKey = { ...subKey, secretPrefix: shownPrefix(secret, environment) }
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
