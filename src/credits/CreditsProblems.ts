import { UsageExhausted } from "./Credits.ts"
import { problem } from "../http/problems/problem.ts"

/** How failures of credits are answered. */
export const CreditProblem = {
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
      when: "A forecast, a goal or a campaign in flight was requested, and the key has no credits left; or [many campaigns](clients.md#many-campaigns-at-once) were sent, and the key has fewer credits than there are campaigns. The message says how many are needed and how many are left.",
      why: "A forecast, a goal and a campaign in flight cost one credit each, many campaigns are charged all or nothing, and credits do not refill by themselves. There is no `Retry-After`, because waiting does not help.",
      whatToDo: "[Buy a credit pack](credits.md#buy-a-pack), or send fewer campaigns. The key stays the same.",
      remedy: "order a credit pack; trying again does not help"
    },
    example: new UsageExhausted({ cost: 1, remaining: 0, granted: 100 })
  })
}
