import { Effect } from "effect"
import type { Sale } from "../../src/credits/Credits.ts"
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

/** A sale of an answer that is nothing but the key's use. */
export const sale = (keyId: Sale["keyId"], request?: Sale["request"]): Sale => ({
  keyId,
  answer: (usage) => JSON.stringify(usage),
  request
})

/** Reads assumptions from a JSON text, as the endpoint does. */
export const decodeText = (text: string) => Effect.flatMap(parseExactJson(text), decodeAssumptions)

/** The sample campaign with changes; undefined leaves a field out. */
export const assumptionsOf = (changes: Readonly<Record<string, number | undefined>> = {}): Effect.Effect<Assumptions> =>
  Effect.orDie(decodeText(JSON.stringify({ ...sample, ...changes })))
