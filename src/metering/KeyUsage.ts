import { Schema } from "effect"
import { Usage, type UsageByMonth } from "../credits/Balance.ts"
import type { AuthenticatedKey } from "../keys/Authenticator.ts"
import { quantity, described } from "../input/Schemas.ts"
import { KeyPlan, KeyState } from "../KeyStatus.ts"

/** The usage of a key as its owner sees it. */
export const KeyUsage = Schema.Struct({
  key_prefix: described(Schema.String, "The first characters of the key.", "ofk_live_4fQz81Lk"),
  name: Schema.optionalKey(
    Schema.String.annotate({ description: "The name of the sub-key; only for a sub-key.", examples: ["CRM"] })
  ),
  monthly_limit: Schema.optionalKey(
    described(
      Schema.NullOr(quantity),
      "The credits that the sub-key may spend in a month, null if there is no limit; only for a sub-key.",
      200
    )
  ),
  state: KeyState.annotate({ description: "The state of the key.", examples: ["usable"] }),
  plan: KeyPlan.annotate({ description: "active if the key may be used.", examples: ["active"] }),
  credits_remaining: Usage.fields.credits_remaining,
  credits_granted: Schema.optionalKey(
    described(quantity, "The total number of credits ever added to the key; not for a sub-key with a limit.", 100)
  ),
  sub_key_credits_remaining: Usage.fields.sub_key_credits_remaining,
  month: Usage.fields.month,
  requests: Usage.fields.requests,
  requests_by_month: described(
    Schema.Array(
      Schema.Struct({
        month: Schema.String.annotate({ description: "A month in UTC.", examples: ["2026-11"] }),
        requests: quantity.annotate({ description: "Successful forecasts in it.", examples: [2] })
      })
    ),
    "Successful forecasts by month, newest first.",
    [{ month: "2026-11", requests: 3 }]
  )
}).annotate({
  identifier: "KeyUsage",
  description: "The usage and the remaining credits of a key.",
  examples: [
    {
      key_prefix: "ofk_live_4fQz81Lk",
      state: "usable",
      plan: "active",
      credits_remaining: 96,
      credits_granted: 100,
      month: "2026-11",
      requests: 4,
      requests_by_month: [{ month: "2026-11", requests: 4 }]
    }
  ]
})

export type KeyUsage = typeof KeyUsage.Type

/** The usage of a key; for a sub-key, its own. One with a limit is not told the credits that were added to the key. */
export const keyUsageOf = (
  { plan, secretPrefix, state, subKey }: AuthenticatedKey,
  { balance: { allowance, granted, remaining }, month, months, requests }: UsageByMonth
): KeyUsage => ({
  key_prefix: secretPrefix,
  ...(subKey && { name: subKey.name, monthly_limit: subKey.monthlyLimit }),
  state,
  plan,
  credits_remaining: remaining,
  ...(allowance === undefined ? { credits_granted: granted } : { sub_key_credits_remaining: allowance.remaining }),
  month,
  requests,
  requests_by_month: months
})
