// Forecasts a second on one core: ours, exact, with outlook, notes and recommendations, beside the same funnel in plain
// floating point. Both run in this process in interleaved rounds; medians are printed.
import { Result } from "effect"
import { type Assumptions, decodeAssumptions } from "../../src/campaign/Assumptions.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { outlook } from "../../src/forecast/outlook/CampaignOutlook.ts"
import { parseExactJson } from "../../src/input/ExactJson.ts"

interface Campaign {
  readonly emails_sent: number
  readonly reply_rate: number
  readonly positive_reply_rate: number
  readonly meeting_booking_rate: number
  readonly close_rate: number
  readonly average_deal_value?: number
  readonly campaign_cost?: number
}

/** The peer: the same figures as anyone would write them with doubles, without notes and recommendations. */
const plainForecast = (campaign: Campaign) => {
  const replies = (campaign.emails_sent * campaign.reply_rate) / 100
  const positiveReplies = (replies * campaign.positive_reply_rate) / 100
  const meetings = (positiveReplies * campaign.meeting_booking_rate) / 100
  const clients = (meetings * campaign.close_rate) / 100
  const { average_deal_value: dealValue, campaign_cost: cost } = campaign
  const revenue = dealValue === undefined ? null : clients * dealValue
  const per = (count: number) => (cost === undefined || count === 0 ? null : Math.round((cost / count) * 100) / 100)
  const roi = revenue === null || cost === undefined || cost === 0 ? null : revenue / cost
  return {
    estimated_replies: Math.round(replies * 1e4) / 1e4,
    estimated_positive_replies: Math.round(positiveReplies * 1e4) / 1e4,
    estimated_meetings: Math.round(meetings * 1e4) / 1e4,
    estimated_clients: Math.round(clients * 1e4) / 1e4,
    estimated_revenue: revenue === null ? null : Math.round(revenue * 100) / 100,
    roi_multiple: roi === null ? null : Math.round(roi * 10) / 10,
    cost_per_reply: per(replies),
    cost_per_meeting: per(meetings),
    cost_per_client: per(clients)
  }
}

const sample: Campaign = {
  emails_sent: 5000,
  reply_rate: 5,
  positive_reply_rate: 30,
  meeting_booking_rate: 20,
  close_rate: 25,
  average_deal_value: 2500,
  campaign_cost: 600
}

/** A thousand campaigns as callers send them: odd rates, every third without a cost, most with a flag or two. */
const mixed = Array.from({ length: 1000 }, (_, i): Campaign => {
  const campaign = {
    emails_sent: 500 + i * 37,
    reply_rate: (i % 120) / 10 + 0.13,
    positive_reply_rate: (i % 70) + 0.5,
    meeting_booking_rate: (i % 60) + 0.25,
    close_rate: (i % 40) + 0.75,
    average_deal_value: 100 + i * 9.99
  }
  return i % 3 === 0 ? campaign : { ...campaign, campaign_cost: 50 + i * 1.01 }
})

const decode = (campaign: Campaign): Assumptions =>
  Result.getOrThrow(Result.flatMap(parseExactJson(JSON.stringify(campaign)), decodeAssumptions))

/** Calls a second over at least half a second. */
const rate = <A>(inputs: ReadonlyArray<A>, compute: (input: A) => object): number => {
  const batch = Array.from({ length: Math.ceil(1000 / inputs.length) }, () => inputs).flat()
  const started = performance.now()
  let count = 0
  let fields = 0
  while (performance.now() - started < 500) {
    for (const input of batch) fields += Object.keys(compute(input)).length
    count += batch.length
  }
  if (fields === 0) throw new Error("Nothing was computed")
  return (count * 1000) / (performance.now() - started)
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const rounds = 7
for (const [name, campaigns] of Object.entries({ "the sample campaign": [sample], "1,000 mixed campaigns": mixed })) {
  const assumptions = campaigns.map(decode)
  const exact: Array<number> = []
  const outlooks: Array<number> = []
  const plain: Array<number> = []
  rate(assumptions, computeForecast)
  rate(campaigns, plainForecast)
  for (let round = 0; round < rounds; round++) {
    exact.push(rate(assumptions, computeForecast))
    outlooks.push(rate(assumptions, outlook))
    plain.push(rate(campaigns, plainForecast))
  }
  const show = (value: number) => Math.round(value).toLocaleString("en-US").padStart(12)
  console.log(`${name}, median of ${rounds} rounds`)
  console.log(`  exact, with outlook, notes and advice ${show(median(exact))} forecasts/s`)
  console.log(`  the outlook of it alone               ${show(median(outlooks))} outlooks/s`)
  console.log(`  plain floating point, figures only    ${show(median(plain))} forecasts/s`)
}
