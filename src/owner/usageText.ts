import type { Credits } from "../credits/Credits.ts"
import type { Account } from "../credits/Usage.ts"
import type { KeyUsage } from "./CreditsApi.ts"
import type { AuthenticatedKey } from "../keys/Authenticator.ts"

/** The usage and the balance of a key; for a sub-key, its own usage. */
export const usageOf = ({ account, subKeyAccount }: Credits["Service"], { id, subKey }: AuthenticatedKey) =>
  subKey === undefined ? account(id) : subKeyAccount(id, subKey.id)

/** The usage of a key as JSON text. */
export const usageText = ({ plan, secretPrefix, state, subKey }: AuthenticatedKey, account: Account): string => {
  const body: typeof KeyUsage.Type = {
    key_prefix: secretPrefix,
    ...(subKey && { name: subKey.name, monthly_limit: subKey.monthlyLimit }),
    state,
    plan,
    ...account
  }
  return JSON.stringify(body)
}
