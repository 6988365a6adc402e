import { Effect, Result } from "effect"
import type { ChargeRequest } from "../../src/credits/Credits.ts"
import { type Assumptions, decodeAssumptions } from "../../src/forecast/Assumptions.ts"
import { parseExactJson } from "../../src/input/ExactJson.ts"

/** The specification's sample campaign. */
export const sample = {
  emails_sent: 5000,
  reply_rate: 5,
  positive_reply_rate: 30,
  meeting_booking_rate: 20,
  close_rate: 25,
  average_deal_value: 2500,
  campaign_cost: 600
}

/** The same with what two of its rates were measured on: to compute its forecast takes long. */
export const measured = {
  ...sample,
  evidence: { reply_rate: { observed: 31, out_of: 800 }, close_rate: { observed: 1, out_of: 3 } }
}

/** One credit for an answer that is nothing but the key's use. */
export const oneCredit = (idempotency?: ChargeRequest["idempotency"]): Omit<ChargeRequest, "keyId"> => ({
  cost: 1,
  answer: (usage) => JSON.stringify(usage),
  idempotency
})

/** Reads assumptions from a JSON text, as the endpoint does. */
export const decodeText = (text: string) => Effect.fromResult(Result.flatMap(parseExactJson(text), decodeAssumptions))

/** The sample campaign with changes; undefined leaves a field out. */
export const assumptionsOf = (changes: Readonly<Record<string, number | undefined>> = {}): Effect.Effect<Assumptions> =>
  Effect.orDie(decodeText(JSON.stringify({ ...sample, ...changes })))
