import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Usage } from "../credits/Balance.ts"
import { withHeaders } from "../http/document/OpenApiDocument.ts"
import { exampleComputed } from "../http/document/PlainSchemas.ts"
import { headersOf } from "../http/ResponseHeaders.ts"
import { withIdempotencyKey } from "../idempotency/IdempotencyDocument.ts"
import { SubKeyAuthentication } from "../keys/AuthenticationApi.ts"
import { operations, type PaidOperation } from "./Operations.ts"
import { HttpProblem } from "../http/problems/HttpProblems.ts"
import { IdempotencyProblem } from "../idempotency/IdempotencyProblems.ts"
import { CreditProblem } from "../credits/CreditsProblems.ts"

/** The failures of a request that costs credits, besides those of its key. */
export const forecastFailures = [
  HttpProblem.InvalidInput,
  HttpProblem.MalformedJson,
  HttpProblem.PayloadTooLarge,
  HttpProblem.UnsupportedMediaType,
  ...Object.values(IdempotencyProblem),
  ...Object.values(CreditProblem),
  HttpProblem.Overloaded,
  HttpProblem.Internal,
  HttpProblem.Unavailable
] as const

/** A form of the answer to a request of an operation, with the usage of its key. */
const responseOf = (
  { exampleRequests: requests }: Pick<PaidOperation, "exampleRequests">,
  { description, example, identifier, schema }: Omit<NonNullable<PaidOperation["minimal"]>, "read">
) => {
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
    success: responseOf(row, row.answer),
    error: forecastFailures
  })
    .middleware(SubKeyAuthentication)
    .annotateMerge(
      OpenApi.annotations({
        identifier: id,
        summary,
        description,
        ...(isDeprecated && { deprecated: true }),
        transform: (operation) =>
          withHeaders(
            withHeaders(withIdempotencyKey(operation), isDeprecated ? headersOf.deprecated : []),
            row.minimal === undefined ? [] : headersOf.preference,
            false
          )
      })
    )
}

/** The short forms of answers: schemas of their own, so that no field of a whole one is optional. */
export const minimalAnswers = Object.values<PaidOperation>(operations).flatMap((row) =>
  row.minimal === undefined ? [] : [responseOf(row, row.minimal)]
)

export const ForecastGroup = HttpApiGroup.make("forecasts")
  .add(endpointOf(operations.forecast), ...Object.values(Struct.omit(operations, ["forecast"])).map(endpointOf))
  .annotateMerge(OpenApi.annotations({ title: "Forecasts", description: "Campaign forecasts, one credit each." }))
