import { Result } from "effect"
import type { Environment } from "../settings/Environment.ts"
import type { ApiKey } from "./ApiKey.ts"
import { InvalidKey, KeyRevoked, PlanInactive } from "./KeyFailures.ts"
import type { FoundSecret } from "./KeyStore.ts"
import type { SecretSubKey } from "./subkeys/SubKey.ts"

/**
 * A key authenticated by one of its secrets: its prefix is that of the secret. `subKey` is set for the secret of a
 * sub-key.
 */
export interface AuthenticatedKey extends ApiKey {
  readonly subKey: SecretSubKey | undefined
}

/** The key of a secret that was looked up, or the reason why the secret is not accepted at `now` (milliseconds UTC). */
export const usableKey = (
  found: FoundSecret | undefined,
  now: number,
  environment: Environment
): Result.Result<AuthenticatedKey, InvalidKey | KeyRevoked | PlanInactive> => {
  if (found === undefined) return Result.fail(new InvalidKey())
  const { secret, subKey } = found
  // A key may have several secrets: show the prefix of the one that was sent.
  const key: AuthenticatedKey = { ...found.key, secretPrefix: secret.prefix, subKey }
  // In production a demo record is not a valid key, whatever its secret looks like.
  if (key.isDemo && environment === "production") return Result.fail(new InvalidKey())
  if (secret.expiresAt !== undefined && secret.expiresAt <= now) return Result.fail(new InvalidKey())
  if (key.state === "unconfirmed") return Result.fail(new InvalidKey())
  if (key.state === "revoked" || subKey?.revokedAt !== undefined) {
    return Result.fail(new KeyRevoked({ prefix: key.secretPrefix }))
  }
  if (key.plan === "inactive") return Result.fail(new PlanInactive({ keyId: key.id, prefix: key.secretPrefix }))
  return Result.succeed(key)
}
