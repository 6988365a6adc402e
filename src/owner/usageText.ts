import type { Credits } from "../credits/Credits.ts"
import type { Account } from "../credits/LedgerEntry.ts"
import type { KeyUsage } from "./CreditsApi.ts"
import type { AuthenticatedKey } from "../keys/Authenticator.ts"

/** The usage and the balance of a key; for a sub-key, its own usage. */
export const usageOf = ({ account, subKeyAccount }: Credits["Service"], { id, subKey }: AuthenticatedKey) =>
  subKey === undefined ? account(id) : subKeyAccount(id, subKey.id)

/** The usage of a key as JSON text. */
export const usageText = (key: AuthenticatedKey, { balance, month, months, requests }: Account): string => {
  const { subKey } = key
  const { allowance } = balance
  const body: typeof KeyUsage.Type = {
    key_prefix: key.secretPrefix,
    ...(subKey && { name: subKey.name, monthly_limit: subKey.monthlyLimit }),
    state: key.state,
    plan: key.plan,
    credits_remaining: balance.remaining,
    credits_granted: balance.granted,
    ...(allowance && { sub_key_credits_remaining: allowance.remaining }),
    month,
    requests,
    requests_by_month: months
  }
  return JSON.stringify(body)
}
