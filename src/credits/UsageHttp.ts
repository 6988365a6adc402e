import { Array as Arr, Effect, Result } from "effect"
import { Credits, type CurrentAccount } from "./Credits.ts"
import type { ApiKey } from "../keys/ApiKey.ts"
import { CreditGroup } from "./CreditsApi.ts"
import { type Answer, batchHandler } from "../http/batch/BatchHandler.ts"

const { usage } = CreditGroup.endpoints

/** What a key has used and has left, as a JSON text. */
export const usageText = (key: ApiKey, { balance, month, months, requests }: CurrentAccount): string => {
  const body: (typeof usage)["~Success"]["Type"] = {
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

/** What keys have used and have left. */
export const usageHandler = Effect.map(Credits, ({ accounts }) =>
  batchHandler([usage], (calls) =>
    Effect.map(accounts(calls.map(({ key }) => key.id)), (found) =>
      Arr.zipWith(calls, found, ({ key }, account) => {
        const { balance } = account
        const answer: Answer = { body: usageText(key, account), headers: {}, balance, charge: undefined }
        return Result.succeed(answer)
      })
    )
  )
)
