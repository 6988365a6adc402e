import { SubKeyLimitReached, UsageExhausted } from "./Credits.ts"
import { problem } from "../http/problems/problem.ts"
import { counted } from "../text/Figures.ts"
import { endOfMonth, isoTime } from "../text/Times.ts"

/** The problems of credits. */
export const CreditProblem = {
  UsageExhausted: problem(UsageExhausted, {
    status: 429,
    code: "usage_exhausted",
    title: "Usage exhausted",
    detail: ({ cost, remaining }, { publicUrl }) =>
      cost === 1
        ? `This key has no forecast credits left. Buy a credit pack to continue: ${publicUrl}/credits`
        : `This takes ${cost} forecast credits, but this key has only ${remaining} left. Nothing was charged: send fewer ` +
          `campaigns, or buy a credit pack: ${publicUrl}/credits`,
    explanation: {
      when: "A forecast, a goal or a campaign in flight was requested, and the key has no credits left; or [many campaigns](clients.md#many-campaigns-at-once) were sent, and the key has fewer credits than there are campaigns. The message says how many are needed and how many are left.",
      why: "A forecast, a goal and a campaign in flight cost one credit each, many campaigns are charged all or nothing, and credits do not refill by themselves. There is no `Retry-After`, because waiting does not help.",
      whatToDo: "[Buy a credit pack](credits.md#buy-a-pack), or send fewer campaigns. The key stays the same.",
      remedy: "order a credit pack; trying again does not help"
    },
    example: new UsageExhausted({ cost: 1, remaining: 0, granted: 100 })
  }),
  SubKeyLimitReached: problem(SubKeyLimitReached, {
    status: 429,
    code: "sub_key_limit_reached",
    title: "Sub-key limit reached",
    detail: ({ cost, limit, month, remaining }) =>
      `This sub-key may spend ${counted(limit, "credit")} per month and has ${remaining} left until ${isoTime(endOfMonth(month))}` +
      `${cost === 1 ? "" : `, but this takes ${cost}`}. Nothing was charged. ` +
      "Ask the holder of the key for a higher limit, or wait for the next month.",
    explanation: {
      when: "A [sub-key](sub-keys.md) has spent its monthly limit, or a list has more campaigns than the sub-key has credits left. The message has the limit, the rest of it, and the end of the month.",
      why: "The holder of the key set a limit for this sub-key. Many campaigns are charged all or nothing. There is no `Retry-After`: the limit is reset at the start of the next UTC month.",
      whatToDo: "Ask the holder of the key to raise the limit, send fewer campaigns, or wait for the next month.",
      remedy: "ask the holder of the key for a higher limit"
    },
    example: new SubKeyLimitReached({ cost: 1, limit: 200, remaining: 0, month: "2026-11" })
  })
}
