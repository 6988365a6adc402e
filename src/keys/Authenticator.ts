import { Clock, Context, Effect, Layer, Option, Redacted, Result } from "effect"
import { Transaction } from "../database/Transaction.ts"
import { onlyResult } from "../Many.ts"
import { Settings } from "../Settings.ts"
import type { ApiKey } from "./ApiKey.ts"
import { AuditLog } from "./AuditLog.ts"
import { InvalidKey, type KeyRevoked, MissingKey, type PlanInactive } from "./KeyFailures.ts"
import * as KeySecret from "./KeySecret.ts"
import { type FoundSecret, KeyStore } from "./KeyStore.ts"
import { RevealLinks } from "./RevealLink.ts"
import { usableKey } from "./usableKey.ts"

/** Why a secret opens nothing. */
export type AuthenticationFailure = MissingKey | InvalidKey | KeyRevoked | PlanInactive

/** Key look-up: which usable key a secret opens. Nothing is cached: what is done to a key holds from the next request on. */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    /** Finds the usable key of a secret; an empty secret counts as missing. */
    readonly authenticate: (secret: Redacted.Redacted) => Effect.Effect<ApiKey, AuthenticationFailure>
    /** Finds the usable keys of secrets, in their order, by one look-up. */
    readonly authenticateAll: (
      secrets: ReadonlyArray<KeySecret.SentSecret>
    ) => Effect.Effect<ReadonlyArray<Result.Result<ApiKey, AuthenticationFailure>>>
  }
>()("outreach-forecast/keys/Authenticator") {
  static readonly layer = Layer.effect(
    Authenticator,
    Effect.gen(function* () {
      const { demoKey, environment } = yield* Settings
      const store = yield* KeyStore
      const links = yield* RevealLinks
      const audit = yield* AuditLog
      const transaction = yield* Transaction

      const demoHash = Option.getOrUndefined(Option.map(demoKey, ({ secret }) => KeySecret.hashOf(secret)))

      /** The hash to look up, unless the secret cannot be one of ours. */
      const hashToFind = (sent: KeySecret.SentSecret): Result.Result<string, MissingKey | InvalidKey> => {
        if (sent.isMissing) return Result.fail(new MissingKey())
        return sent.isWellFormed || sent.hash === demoHash ? Result.succeed(sent.hash) : Result.fail(new InvalidKey())
      }

      const keyOf = (found: FoundSecret | undefined, now: number): Result.Result<ApiKey, AuthenticationFailure> =>
        usableKey(found, now, environment)

      /** Notes the first use of a secret. One that a link revealed ends the link and the other secrets by it. */
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

      const authenticateAll = Effect.fnUntraced(function* (secrets: ReadonlyArray<KeySecret.SentSecret>) {
        const hashes = secrets.map(hashToFind)
        const asked = new Set(hashes.flatMap((hash) => (Result.isSuccess(hash) ? [hash.success] : [])))
        const now = yield* Clock.currentTimeMillis
        const found = asked.size === 0 ? new Map<string, FoundSecret>() : yield* store.findSecrets([...asked])
        const refused = new Map<string, InvalidKey>()
        for (const [hash, secret] of found) {
          if (secret.secret.firstUsedAt !== undefined || Result.isFailure(keyOf(secret, now))) continue
          const noted = yield* Effect.result(noteFirstUse(secret, now))
          if (Result.isFailure(noted)) refused.set(hash, noted.failure)
        }
        return hashes.map((hash): Result.Result<ApiKey, AuthenticationFailure> => {
          if (Result.isFailure(hash)) return Result.fail(hash.failure)
          const failure = refused.get(hash.success)
          return failure === undefined ? keyOf(found.get(hash.success), now) : Result.fail(failure)
        })
      })

      return Authenticator.of({
        authenticate: (secret) =>
          Effect.flatMap(authenticateAll([KeySecret.readSecret(Redacted.value(secret), environment)]), onlyResult),
        authenticateAll
      })
    })
  )
}
