import { Clock, Context, Effect, Layer, Result } from "effect"
import { Transaction } from "../database/Transaction.ts"
import { Settings } from "../Settings.ts"
import { AuditLog } from "./AuditLog.ts"
import { KeyRevoked, type KeyUnusable, unusable } from "../KeyStatus.ts"
import { InvalidKey, invalidKey } from "./KeyFailures.ts"
import { hashOfText } from "./KeySecrets.ts"
import { type FoundSecret, KeyStore } from "./KeyStore.ts"
import { RevealLinks } from "./RevealLinks.ts"
import type { Environment } from "../settings/Environment.ts"
import type { ApiKey } from "./ApiKey.ts"
import type { SecretSubKey } from "./SubKey.ts"

/**
 * A key authenticated by one of its secrets: its prefix is that of the secret. `subKey` is set for the secret of a
 * sub-key.
 */
export interface AuthenticatedKey extends ApiKey {
  readonly subKey: SecretSubKey | undefined
}

/** The key of a secret of ours, or the reason why it is not accepted. */
export type Found = Result.Result<AuthenticatedKey, InvalidKey | KeyUnusable>

/** The key of a secret that was looked up, or the reason why the secret is not accepted at `now` (milliseconds UTC). */
export const usableKey = (found: FoundSecret | undefined, now: number, environment: Environment): Found => {
  if (found === undefined) return invalidKey
  const { secret, subKey } = found
  // A key may have several secrets: show the prefix of the one that was sent.
  const key: AuthenticatedKey = { ...found.key, secretPrefix: secret.prefix, subKey }
  // In production a demo record is not a valid key, whatever its secret looks like.
  if (key.isDemo && environment === "production") return invalidKey
  if (secret.expiresAt !== undefined && secret.expiresAt <= now) return invalidKey
  if (key.state === "unconfirmed") return invalidKey
  if (subKey?.revokedAt !== undefined) return Result.fail(new KeyRevoked({ prefix: secret.prefix }))
  const reason = unusable({
    keyId: key.id,
    subKeyId: subKey?.id,
    state: key.state,
    keyPlan: key.plan,
    prefix: secret.prefix
  })
  return reason === undefined ? Result.succeed(key) : Result.fail(reason)
}

/**
 * Key look-up: finds the usable key of a secret. Nothing is cached: changes of a key apply from the next request on.
 */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    /** Finds the usable key of a secret by its hash, which `hashToFind` gives. */
    readonly find: (hash: string) => Effect.Effect<AuthenticatedKey, InvalidKey | KeyUnusable>
    /** Finds the usable key of each of these secrets, in their order. */
    readonly findAll: (hashes: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Found>>
  }
>()("outreach-forecast/keys/Authenticator") {
  /** Knows what each of these secrets leads to, for tests of what needs a key. */
  static readonly layerMemory = (found: Readonly<Record<string, Found>>) => {
    const byHash = new Map(Object.entries(found).map(([secret, result]) => [hashOfText(secret), result]))
    const foundOf = (hash: string): Found => byHash.get(hash) ?? invalidKey
    return Layer.succeed(Authenticator, {
      find: (hash) => Effect.fromResult(foundOf(hash)),
      findAll: (hashes) => Effect.succeed(hashes.map(foundOf))
    })
  }

  static readonly layer = Layer.effect(
    Authenticator,
    Effect.gen(function* () {
      const { environment } = yield* Settings
      const store = yield* KeyStore
      const links = yield* RevealLinks
      const audit = yield* AuditLog
      const transaction = yield* Transaction

      const keyOf = (found: FoundSecret | undefined, now: number): Found => usableKey(found, now, environment)

      /** Records the first use of a secret. If a link revealed it, this ends the link and its other secrets. */
      const noteFirstUse = Effect.fnUntraced(function* ({ key, secret }: FoundSecret, now: number) {
        // The secret may have been replaced, or the key revoked, since it was looked up.
        const current = (yield* store.findSecrets([secret.hash])).get(secret.hash)
        if (current === undefined || current.key.state !== "usable") return yield* new InvalidKey()
        if (current.secret.firstUsedAt !== undefined) return
        yield* store.putSecret({ ...current.secret, firstUsedAt: now })
        if (secret.linkId === undefined) return
        yield* links.markUsed(secret.linkId, now)
        yield* audit.append(key.id, "owner", "first_used")
        for (const other of yield* store.secretsOf(key.id)) {
          if (other.hash !== secret.hash) yield* store.deleteSecret(other.hash)
        }
      }, transaction.run)

      const findAll = Effect.fnUntraced(function* (hashes: ReadonlyArray<string>) {
        const now = yield* Clock.currentTimeMillis
        const found = yield* store.findSecrets([...new Set(hashes)])
        const refused = new Map<string, InvalidKey>()
        for (const [hash, secret] of found) {
          if (secret.secret.firstUsedAt !== undefined || Result.isFailure(keyOf(secret, now))) continue
          const noted = yield* Effect.result(noteFirstUse(secret, now))
          if (Result.isFailure(noted)) refused.set(hash, noted.failure)
        }
        return hashes.map((hash): Found => {
          const failure = refused.get(hash)
          return failure === undefined ? keyOf(found.get(hash), now) : Result.fail(failure)
        })
      })

      return Authenticator.of({
        find: Effect.fn("Authenticator.find")(function* (hash: string) {
          const [found = invalidKey] = yield* findAll([hash])
          return yield* Effect.fromResult(found)
        }),
        findAll
      })
    })
  )
}
