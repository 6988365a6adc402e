import { Schema } from "effect"
import { LedgerKind } from "../credits/LedgerEntry.ts"
import { quantity, dateTime, described } from "../input/Schemas.ts"
import { digits, nextCursor, pageSize } from "../input/Paging.ts"

/** The maximum and the default number of entries on a page. */
const largestPageSize = 200
export const defaultPageSize = 50

/** The greatest cursor that its pattern allows and a double represents exactly. */
const greatestCursor = 999_999_999_999_999

/** The query that selects a page of the ledger. */
export const LedgerQuery = Schema.Struct({
  cursor: Schema.optionalKey(described(digits(greatestCursor), "The next_cursor of the previous page.", "1042")),
  limit: pageSize("entries", defaultPageSize, largestPageSize)
})

/** Some charges: the balance after each, its reference, and its time. */
const exampleCharges = [
  [96, "0199f0a4-1d2e-7a35-b2c3-4d5e6f7a8b9c", "2026-11-21T08:12:55.304Z"],
  [97, "0199f0a3-0c1d-7e24-a1b2-3c4d5e6f7a8b", "2026-11-21T08:11:30.512Z"],
  [98, "0199f0a2-6a5e-7c31-8f0e-2f1d3c4b5a69", "2026-11-21T08:09:59.022Z"],
  [99, "0199f0a1-3b7c-7f02-9d4e-6b5a4c3d2e1f", "2026-11-21T08:08:41.660Z"]
] as const

export const LedgerPage = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({
      kind: LedgerKind.annotate({ description: "The reason for the change.", examples: ["forecast"] }),
      delta: Schema.Int.annotate({ description: "The change in credits.", examples: [-1] }),
      balance_after: quantity.annotate({ description: "The balance after it.", examples: [98] }),
      reference: described(Schema.String, "A unique reference of the change.", "0199f0a2-6a5e-7c31-8f0e-2f1d3c4b5a69"),
      sub_key: described(
        Schema.NullOr(Schema.String),
        "The name of the sub-key that requested the forecast, or its ID 90 days after it was revoked; null if none did.",
        "CRM"
      ),
      created_at: described(dateTime, "The time of the change, in UTC.", "2026-11-21T08:09:59.022Z")
    })
  ).annotate({ description: "The changes, newest first." }),
  next_cursor: nextCursor("1042")
}).annotate({
  identifier: "LedgerPage",
  description: "A page of the changes of a key's credits.",
  examples: [
    {
      entries: [
        ...exampleCharges.map(([balance_after, reference, created_at]) => ({
          kind: "forecast" as const,
          delta: -1,
          balance_after,
          reference,
          sub_key: null,
          created_at
        })),
        {
          kind: "preview_grant",
          delta: 100,
          balance_after: 100,
          reference: "preview:0f5a7c9b2d4e6f8091a3b5c7d9e1f20314253647586970a1b2c3d4e5f60718a9",
          sub_key: null,
          created_at: "2026-11-05T10:17:02.096Z"
        }
      ],
      next_cursor: null
    }
  ]
})
