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
    explanation: {
      when: "A request with the same `Idempotency-Key` is still being answered.",
      why: "Usually a retry arrived before the request that it repeats was finished.",
      whatToDo:
        "Send the same request again after the number of seconds in `Retry-After`: it gets the answer to the first. See [idempotency](idempotency.md).",
      remedy: "send the same request again in a moment"
    },
    example: new IdempotencyInProgress()
  }),
  IdempotencyMismatch: problem(IdempotencyMismatch, {
    status: 422,
    code: "idempotency_mismatch",
    title: "Idempotency key reused",
    retryable: false,
    detail: "This Idempotency-Key has already been used for a different request. Choose a new one for each request.",
    explanation: {
      when: "The `Idempotency-Key` was sent before, with a different request.",
      why: "An answer belongs to one request. A different request with the same key is usually a mistake in the program.",
      whatToDo: "Choose a new `Idempotency-Key` for each new request. See [idempotency](idempotency.md).",
      remedy: "choose a new `Idempotency-Key`"
    },
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
    explanation: {
      when: "A forecast or a goal was requested, and the key has no credits left; or [many campaigns](clients.md#many-campaigns-at-once) were sent, and the key has fewer credits than there are campaigns. The message says how many are needed and how many are left.",
      why: "A forecast and a goal cost one credit each, many campaigns are charged all or nothing, and credits do not refill by themselves. There is no `Retry-After`, because waiting does not help.",
      whatToDo: "[Buy a credit pack](credits.md#buy-a-pack), or send fewer campaigns. The key stays the same.",
      remedy: "order a credit pack; trying again does not help"
    },
    example: new UsageExhausted({ cost: 1, remaining: 0, granted: 100 })
  })
}
