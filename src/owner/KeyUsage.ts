import type { Credits } from "../credits/Credits.ts"
import { type SubKeyUsage, UsageByMonth } from "../credits/Balance.ts"
import type { AuthenticatedKey } from "../keys/Authenticator.ts"
import { Schema } from "effect"
import { quantity, described } from "../input/Schemas.ts"
import { KeyState, Plan } from "../KeyId.ts"

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
  plan: Plan.annotate({ description: "active if the key may be used.", examples: ["active"] }),
  ...UsageByMonth.fields,
  credits_granted: Schema.optionalKey(
    UsageByMonth.fields.credits_granted.annotate({
      description: "The total number of credits ever added to the key; not for a sub-key with a limit."
    })
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

/** The usage and the balance of a key; for a sub-key, its own usage. */
export const usageOf = ({ usage, subKeyUsage }: Credits["Service"], { id, subKey }: AuthenticatedKey) =>
  subKey === undefined ? usage(id) : subKeyUsage(id, subKey.id)

/** The usage of a key as JSON text. */
export const usageText = ({ plan, secretPrefix, state, subKey }: AuthenticatedKey, usage: SubKeyUsage): string => {
  const body: typeof KeyUsage.Type = {
    key_prefix: secretPrefix,
    ...(subKey && { name: subKey.name, monthly_limit: subKey.monthlyLimit }),
    state,
    plan,
    ...usage
  }
  return JSON.stringify(body)
}
