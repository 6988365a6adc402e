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
