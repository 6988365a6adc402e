import { Schema } from "effect"
import { described, quantity } from "../input/Schemas.ts"
import { csvLine } from "../input/Csv.ts"
import type { DailyRequests } from "../credits/LedgerEntry.ts"

/** The query for usage by day or by sub-key. */
export const UsageQuery = Schema.Struct({
  by: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(day|sub_key)$/u, { code: "out_of_range", message: "must be day or sub_key" })
    ).annotate({ description: "How to group the forecasts of a month.", examples: ["day"] })
  ),
  month: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[0-9]{4}-(0[1-9]|1[0-2])$/u, {
        code: "invalid_format",
        message: "must be a month like 2026-11"
      })
    ).annotate({ description: "The UTC month, only with by; the current one by default.", examples: ["2026-11"] })
  )
})

const UsageTableRow = Schema.Struct({
  day: Schema.optionalKey(
    Schema.String.annotate({ description: "The day in UTC; only with by=day.", examples: ["2026-11-23"] })
  ),
  sub_key_id: described(Schema.NullOr(Schema.String), "The sub-key; null for the key itself.", "sub_7hGk2LmQ0pRs9TvX"),
  name: described(
    Schema.NullOr(Schema.String),
    "The name of the sub-key, or its ID 90 days after it was revoked; null for the key itself.",
    "CRM"
  ),
  requests: quantity.annotate({ description: "Successful forecasts.", examples: [37] })
})

/** The usage of a month by day or by sub-key. */
export const UsageTable = Schema.Struct({
  month: Schema.String.annotate({ description: "The month in UTC.", examples: ["2026-11"] }),
  by: described(
    Schema.Literals(["day", "sub_key"]).annotate({ title: "UsageBy" }),
    "How the forecasts are grouped.",
    "day"
  ),
  rows: Schema.Array(UsageTableRow).annotate({ description: "Only days and sub-keys with forecasts." })
}).annotate({
  identifier: "UsageTable",
  description: "The forecasts of a month by day and sub-key, or by sub-key.",
  examples: [
    {
      month: "2026-11",
      by: "day",
      rows: [
        { day: "2026-11-22", sub_key_id: null, name: null, requests: 4 },
        { day: "2026-11-23", sub_key_id: "sub_7hGk2LmQ0pRs9TvX", name: "CRM", requests: 37 }
      ]
    }
  ]
})

/** The usage of a month as a table. */
export const usageTable = (
  days: ReadonlyArray<DailyRequests>,
  by: (typeof UsageTable.Type)["by"],
  month: string
): typeof UsageTable.Type => {
  const rowOf = ({ requests, subKey, subKeyId }: DailyRequests) => ({
    sub_key_id: subKeyId ?? null,
    name: subKey ?? null,
    requests
  })
  if (by === "day") return { month, by, rows: days.map((each) => ({ day: each.day, ...rowOf(each) })) }
  const groups = [...Map.groupBy(days.map(rowOf), ({ sub_key_id }) => sub_key_id).values()]
  const rows = groups.flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, requests: others.reduce((sum, { requests }) => sum + requests, first.requests) }]
  )
  return { month, by, rows }
}

/** The rows of a table as CSV. */
export const usageCsv = ({ by, rows }: typeof UsageTable.Type): string => {
  const columns = [...(by === "day" ? ["day"] : []), "sub_key_id", "name", "requests"]
  const lines = rows.map(({ day, name, requests, sub_key_id }) =>
    csvLine([...(day === undefined ? [] : [day]), sub_key_id, name, requests])
  )
  return csvLine(columns) + lines.join("")
}
