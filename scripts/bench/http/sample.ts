import { Result } from "effect"
import { decodeAssumptions } from "../../../src/forecast/Assumptions.ts"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { parseExactJson } from "../../../src/input/ExactJson.ts"

/** The campaign that is forecast, as JSON. */
export const body = JSON.stringify({
  emails_sent: 5000,
  reply_rate: 5,
  positive_reply_rate: 30,
  meeting_booking_rate: 20,
  close_rate: 25,
  average_deal_value: 2500,
  campaign_cost: 600
})

const { forecast } = computeForecast(Result.getOrThrow(Result.flatMap(parseExactJson(body), decodeAssumptions)))

/** The service's answer to it, but for the usage. */
export const answer = JSON.stringify({
  ...forecast,
  usage: { month: "2026-11", requests: 1, credits_remaining: 999_999_999 }
})

/** What is wrong with the answer of the plain peer: it must have the same figures. */
export const plainFaultOf = (status: number, text: string): string | undefined =>
  status === 200 && text.startsWith(answer.slice(0, answer.indexOf(',"performance_grade"')))
    ? undefined
    : `status ${status}: ${text}`

/** What is wrong with the answer of a server: it must have the same figures, and be as long within a tenth. */
export const faultOf = (status: number, text: string): string | undefined => {
  if (status !== 200) return `status ${status}: ${text}`
  const figures = answer.slice(0, answer.indexOf('"recommendations"'))
  if (!text.startsWith(figures)) return `other figures: ${text}`
  const length = Buffer.byteLength(text) / Buffer.byteLength(answer)
  return length < 0.9 || length > 1.1 ? `${Math.round(length * 100)} % of the length: ${text}` : undefined
}
