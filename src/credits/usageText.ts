import type { CurrentAccount } from "./Credits.ts"
import type { ApiKey } from "../keys/ApiKey.ts"
import type { KeyUsage } from "./CreditsApi.ts"

/** What a key has used and has left, as a JSON text. */
export const usageText = (key: ApiKey, { balance, month, months, requests }: CurrentAccount): string => {
  const body: typeof KeyUsage.Type = {
    key_prefix: key.secretPrefix,
    state: key.state,
    plan: key.plan,
    credits_remaining: balance.remaining,
    credits_granted: balance.granted,
    month,
    requests,
    requests_by_month: months
  }
  return JSON.stringify(body)
}
