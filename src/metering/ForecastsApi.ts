import { Array as Arr, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Usage } from "../credits/Balance.ts"
import { withHeaders } from "../http/document/OpenApiDocument.ts"
import { exampleComputed } from "../http/document/PlainSchemas.ts"
import { headersOf } from "../http/ResponseHeaders.ts"
import { withIdempotencyKey } from "../idempotency/IdempotencyDocument.ts"
import { SubKeyAuthentication } from "../keys/AuthenticationApi.ts"
import { forecasts } from "./CampaignsApi.ts"
import { forecastFailures } from "./forecastFailures.ts"
import { operations, type PaidOperation } from "./Operations.ts"

const rows: ReadonlyArray<PaidOperation> = Object.values(operations)

/** The answer to a request of an operation, with the usage of its key. */
const responseOf = (row: PaidOperation) => {
  const { description, example, identifier, schema } = row.answer
  const requests = rows.indexOf(row) + 1
  const usage = { month: "2026-11", requests, credits_remaining: 100 - requests }
  return Schema.Struct({ ...schema.fields, usage: Usage }).annotate({
    identifier,
    description,
    examples: exampleComputed(() => ({ ...example(), usage }))
  })
}

/** The endpoint of an operation. */
export const endpointOf = (row: PaidOperation) => {
  const { description, id, isDeprecated = false, path, request, summary } = row
  return HttpApiEndpoint.post(id, path, {
    payload: Schema.toEncoded(request),
    success: responseOf(row),
    error: forecastFailures
  })
    .middleware(SubKeyAuthentication)
    .annotateMerge(
      OpenApi.annotations({
        identifier: id,
        summary,
        description,
        ...(isDeprecated
          ? {
              deprecated: true,
              transform: (operation) => withHeaders(withIdempotencyKey(operation), headersOf.deprecated)
            }
          : { transform: withIdempotencyKey })
      })
    )
}

const endpointsIn = (group: PaidOperation["group"]) => {
  const [first, ...others] = rows.filter((row) => row.group === group).map(endpointOf)
  if (first === undefined) throw new Error(`No operation is in the group ${group}`)
  return Arr.make(first, ...others)
}

export const ForecastGroup = HttpApiGroup.make("forecasts")
  .add(...Arr.append(endpointsIn("forecasts"), forecasts))
  .annotateMerge(OpenApi.annotations({ title: "Forecasts", description: "Campaign forecasts, one credit each." }))

export const GoalGroup = HttpApiGroup.make("goals")
  .add(...endpointsIn("goals"))
  .annotateMerge(
    OpenApi.annotations({ title: "Goals", description: "What it takes to reach a goal, one credit each." })
  )

export const ProgressGroup = HttpApiGroup.make("progress")
  .add(...endpointsIn("progress"))
  .annotateMerge(
    OpenApi.annotations({ title: "Progress", description: "Where a campaign in flight ends, one credit each." })
  )
