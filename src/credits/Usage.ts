import { Schema } from "effect"
import { quantity } from "../input/numberSchemas.ts"

/** The usage of a key in responses: the UTC month, the successful forecasts in it, and the remaining credits. */
export const Usage = Schema.Struct({
  month: Schema.String.annotate({ description: "The current month in UTC.", examples: ["2026-11"] }),
  requests: quantity.annotate({
    description: "Successful forecasts of this key or sub-key in the month.",
    examples: [1]
  }),
  credits_remaining: quantity.annotate({ description: "Credits left on the key; they never expire.", examples: [99] }),
  sub_key_credits_remaining: Schema.optionalKey(
    quantity.annotate({
      description: "Credits that this sub-key may still spend in the month; only if it has a limit.",
      examples: [12]
    })
  )
}).annotate({
  identifier: "Usage",
  description: "The usage and the remaining credits of the key.",
  examples: [{ month: "2026-11", requests: 1, credits_remaining: 99 }]
})
export type Usage = typeof Usage.Type
