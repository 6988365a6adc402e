import { KeyUsage } from "./KeyUsage.ts"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { withLink } from "../http/document/OpenApiDocument.ts"
import { csvBody } from "../http/document/PlainSchemas.ts"
import { HttpProblem } from "../http/problems/HttpProblems.ts"
import { nextPage } from "../input/Paging.ts"
import { keptUsageDays } from "../credits/LedgerEntry.ts"
import { Authentication, SubKeyAuthentication } from "../keys/AuthenticationApi.ts"
import { LedgerPage, LedgerQuery } from "./LedgerPage.ts"
import { UsageQuery, UsageTable } from "./UsageTable.ts"

const usageCsv = csvBody({
  description: "With by, if Accept asks for text/csv: a header line, then a line for each row.",
  example: "day,sub_key_id,name,requests\r\n2026-11-22,,,4\r\n2026-11-23,sub_7hGk2LmQ0pRs9TvX,CRM,37\r\n"
})

const failures = [HttpProblem.Internal, HttpProblem.Unavailable] as const

export const usageEndpoint = HttpApiEndpoint.get("usage", "/api/v1/usage", {
  query: UsageQuery,
  success: [KeyUsage, UsageTable, usageCsv],
  error: [HttpProblem.InvalidInput, ...failures]
})
  .middleware(SubKeyAuthentication)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "usage",
      summary: "Get usage and remaining credits",
      description:
        "A key's usage includes that of its sub-keys. A sub-key sees its own; the credits left are those of the key, or as " +
        "many of them as its limit leaves. " +
        `With by, the forecasts of a month by day or by sub-key, as JSON or CSV; days are kept for ${keptUsageDays} ` +
        "days. Costs no credit."
    })
  )

export const UsageGroup = HttpApiGroup.make("credits")
  .add(
    usageEndpoint,
    HttpApiEndpoint.get("ledger", "/api/v1/credits/ledger", {
      query: LedgerQuery,
      success: LedgerPage,
      error: [HttpProblem.InvalidInput, ...failures]
    })
      .middleware(Authentication)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "ledger",
          summary: "List ledger entries",
          description: "Every change to the key's credits, newest first, in pages. Costs no credit.",
          transform: (operation) => withLink(operation, "200", nextPage("ledger"))
        })
      )
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Credits", description: "The usage and the remaining credits of a key." })
  )
