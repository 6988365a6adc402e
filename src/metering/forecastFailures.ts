import { HttpProblem } from "../http/problems/HttpProblems.ts"
import { IdempotencyProblem } from "../idempotency/IdempotencyProblems.ts"
import { CreditProblem } from "../credits/CreditsProblems.ts"

/** What a request that costs credits can fail with, beside its key. */
export const forecastFailures = [
  HttpProblem.InvalidInput,
  HttpProblem.MalformedJson,
  HttpProblem.PayloadTooLarge,
  HttpProblem.UnsupportedMediaType,
  IdempotencyProblem.IdempotencyInProgress,
  IdempotencyProblem.IdempotencyMismatch,
  CreditProblem.UsageExhausted,
  CreditProblem.SubKeyLimitReached,
  HttpProblem.Overloaded,
  HttpProblem.Internal,
  HttpProblem.Unavailable
] as const
