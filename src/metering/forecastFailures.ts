import { Problem } from "../http/problems/Problems.ts"

/** What a request that costs credits can fail with, beside its key. */
export const forecastFailures = [
  Problem.InvalidInput,
  Problem.MalformedJson,
  Problem.PayloadTooLarge,
  Problem.UnsupportedMediaType,
  Problem.IdempotencyInProgress,
  Problem.IdempotencyMismatch,
  Problem.UsageExhausted,
  Problem.Overloaded,
  Problem.Internal,
  Problem.Unavailable
] as const
