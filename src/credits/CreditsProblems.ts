import { UsageExhausted } from "./Credits.ts"
import { IdempotencyInProgress, IdempotencyMismatch } from "../idempotency/Idempotency.ts"
import { retryAfter } from "../http/ResponseHeaders.ts"
import { problem } from "../http/problems/problem.ts"

/** Failures of what costs credits. */
export const creditProblems = {
  IdempotencyInProgress: problem(IdempotencyInProgress, {
    status: 409,
    code: "idempotency_in_progress",
    title: "Idempotent request in progress",
    retryable: true,
    detail: "The first request with this Idempotency-Key is still being answered. Send it again in a moment.",
    headers: retryAfter.of(1),
    example: new IdempotencyInProgress()
  }),
  IdempotencyMismatch: problem(IdempotencyMismatch, {
    status: 422,
    code: "idempotency_mismatch",
    title: "Idempotency key reused",
    retryable: false,
    detail: "This Idempotency-Key has already been used for a different request. Choose a new one for each request.",
    example: new IdempotencyMismatch()
  }),
  UsageExhausted: problem(UsageExhausted, {
    status: 429,
    code: "usage_exhausted",
    title: "Usage exhausted",
    retryable: false,
    detail: ({ cost, remaining }) =>
      cost === 1
        ? "This key has no forecast credits left. Buy a credit pack to continue."
        : `This takes ${cost} forecast credits, but this key has only ${remaining} left. Nothing was charged: send fewer ` +
          "campaigns, or buy a credit pack.",
    example: new UsageExhausted({ cost: 1, remaining: 0, granted: 100 })
  })
}
