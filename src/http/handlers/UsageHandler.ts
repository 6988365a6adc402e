import { Array as Arr, Effect, Result } from "effect"
import { Credits } from "../../credits/Credits.ts"
import { KeyGroup } from "../api/KeyApi.ts"
import { type Answer, batchHandler } from "./BatchHandler.ts"

const { usage } = KeyGroup.endpoints

/** What keys have used and have left. */
export const usageHandler = Effect.map(Credits, ({ accounts }) =>
  batchHandler([usage], (calls) =>
    Effect.map(accounts(calls.map(({ key }) => key.id)), (found) =>
      Arr.zipWith(calls, found, ({ key }, { balance, month, months, requests }) => {
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
        const answer: Answer = { body: JSON.stringify(body), headers: {}, balance, charge: undefined }
        return Result.succeed(answer)
      })
    )
  )
)
