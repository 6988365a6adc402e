import { Result } from "effect"
import { decodeAssumptions } from "../../../src/campaign/Assumptions.ts"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { decodeJson } from "../../../src/input/parseJson.ts"

/** The deal value of the campaign, as written in its JSON. */
export const dealValue = "2500"

/** The campaign that is forecast, as JSON. */
export const body = JSON.stringify({
  emails_sent: 5000,
  reply_rate: 5,
  positive_reply_rate: 30,
  meeting_booking_rate: 20,
  close_rate: 25,
  average_deal_value: Number(dealValue),
  campaign_cost: 600
})

/** The same with the counts of 100 past campaigns, no two of them alike. */
export const bodyWithHistory = body.replace(
  /\}$/u,
  `,"history":${JSON.stringify(
    Array.from({ length: 100 }, (_, index) => {
      const emails_sent = 500 + 83 * ((index * 37) % 100)
      const replies = Math.round(emails_sent * (0.03 + 0.0004 * ((index * 61) % 100)))
      const positive_replies = Math.round(replies * (0.2 + 0.002 * ((index * 17) % 100)))
      const meetings = Math.round(positive_replies * (0.1 + 0.002 * ((index * 71) % 100)))
      const clients = Math.round(meetings * (0.1 + 0.003 * ((index * 43) % 100)))
      return { emails_sent, replies, positive_replies, meetings, clients }
    })
  )}}`
)

const { forecast } = computeForecast(Result.getOrThrow(decodeJson(body, decodeAssumptions)))

/** The response of the service to it; the usage may differ. */
export const response = JSON.stringify({
  ...forecast,
  usage: { month: "2026-11", requests: 1, credits_remaining: 999_999_999 }
})

const figures = response.slice(response.indexOf('"estimated_replies"'), response.indexOf(',"estimated_profit"'))

/**
 * The fault in the response of the peer or of an earlier commit, which must have the same figures as the service's. The
 * peer leaves out its summary, chances and break-even, and so has less to do.
 */
export const figuresFaultOf = (status: number, text: string): string | undefined =>
  status === 200 && text.includes(figures) ? undefined : `status ${status}: ${text}`

/** The fault in the response of the service, of which all but the usage must be the same. */
export const faultOf = (status: number, text: string): string | undefined =>
  status === 200 && text.startsWith(response.slice(0, response.indexOf(',"usage"')))
    ? undefined
    : `status ${status}: ${text}`
