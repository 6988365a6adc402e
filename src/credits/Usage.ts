import { Schema } from "effect"
import { described } from "../described.ts"
import type { Balance } from "../Balance.ts"
import { quantity } from "../input/numberSchemas.ts"

/** The usage of a key in responses: the UTC month, the successful forecasts in it, and the remaining credits. */
export const Usage = Schema.Struct({
  month: Schema.String.annotate({ description: "The current month in UTC.", examples: ["2026-11"] }),
  requests: described(quantity, "Successful forecasts of this key or sub-key in the month.", 1),
  credits_remaining: described(
    quantity,
    "Credits left on the key; they never expire. For a sub-key with a limit, those of them that it may still spend in the month.",
    99
  ),
  sub_key_credits_remaining: Schema.optionalKey(
    described(quantity, "Credits that this sub-key may still spend in the month; only if it has a limit.", 12)
  )
}).annotate({
  identifier: "Usage",
  description: "The usage and the remaining credits of the key.",
  examples: [{ month: "2026-11", requests: 1, credits_remaining: 99 }]
})
export type Usage = typeof Usage.Type

/** The usage of a key that has made this many forecasts in a month. */
export const usageIn = (month: string, requests: number, { allowance, remaining }: Balance): Usage => ({
  month,
  requests,
  credits_remaining: remaining,
  ...(allowance && { sub_key_credits_remaining: allowance.remaining })
})

/** The usage of a key, with the credits ever added to it and the forecasts by month. */
export const UsageByMonth = Schema.Struct({
  credits_remaining: Usage.fields.credits_remaining,
  credits_granted: described(quantity, "The total number of credits ever added to the key.", 100),
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
})
export type UsageByMonth = typeof UsageByMonth.Type

/** The usage of a sub-key; one with a limit is not told the credits that were added to the key. */
export type SubKeyUsage = Omit<UsageByMonth, "credits_granted"> & Partial<Pick<UsageByMonth, "credits_granted">>

/** The forecasts of a key in a UTC month, like 2026-11. */
export type MonthlyRequests = UsageByMonth["requests_by_month"][number]

/** The usage of a key in a month, from its balance and its forecasts by month, newest first. */
export const usageByMonth = (
  month: string,
  { allowance, granted, remaining }: Balance,
  months: ReadonlyArray<MonthlyRequests>
): UsageByMonth => ({
  credits_remaining: remaining,
  credits_granted: granted,
  ...(allowance && { sub_key_credits_remaining: allowance.remaining }),
  month,
  requests: months.find((counted) => counted.month === month)?.requests ?? 0,
  requests_by_month: months
})
