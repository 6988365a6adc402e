// Whether intervals hold what they promise. Campaigns are simulated with rates that nobody knows: the caller plans with
// others, sees some emails first and gives what was observed as evidence. Then it is counted how often the results of
// 5,000 emails lie between low and high. The same each time for a seed; ends with 1 where an interval holds less than 75 %.
// For more: npm run calibrate -- --campaigns 10000 --seed 7
import { parseArgs } from "node:util"
import { BigDecimal } from "effect"
import { binomial, smallestReaching } from "../src/forecast/outlook/Binomial.ts"
import type { Campaign, RateName } from "../src/forecast/outlook/Campaign.ts"
import { outlook } from "../src/forecast/outlook/CampaignOutlook.ts"
import type { Outlook } from "../src/forecast/outlook/Outlook.ts"
import { seeded } from "../test/support/Seeded.ts"

const { values } = parseArgs({
  options: { campaigns: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } }
})
const campaigns = Number(values.campaigns)
const random = seeded(Number(values.seed))

const emailsForecast = 5000

/** What the caller plans with, in percent; the truth lies anywhere from half of it to twice as much. */
const planned = { reply_rate: 5, positive_reply_rate: 30, meeting_booking_rate: 20, close_rate: 25 } as const
type Rate = keyof typeof planned
const rates = ["reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"] as const
const stages = ["replies", "positive_replies", "meetings", "clients"] as const

const perRate = <A>(value: (rate: Rate) => A): { readonly [rate in Rate]: A } => ({
  reply_rate: value("reply_rate"),
  positive_reply_rate: value("positive_reply_rate"),
  meeting_booking_rate: value("meeting_booking_rate"),
  close_rate: value("close_rate")
})

const draw = (trials: number, p: number): number =>
  trials === 0 ? 0 : smallestReaching(binomial(trials, p, 1 - p), random())

/** How many come to each stage, and each stage's trials: drawn with the true rates. */
const send = (emails: number, truth: { readonly [rate in Rate]: number }) => {
  let trials = emails
  return rates.map((rate) => {
    const outOf = trials
    trials = draw(outOf, truth[rate])
    return { rate, observed: trials, outOf }
  })
}

const decimal = (value: number) => BigDecimal.fromNumberUnsafe(value)
const plain = {
  emails_sent: decimal(emailsForecast),
  ...perRate((rate) => decimal(planned[rate]))
}

const withEvidence = (seen: ReturnType<typeof send>): Campaign => ({
  ...plain,
  evidence: Object.fromEntries(
    seen.map(({ observed, outOf, rate }): readonly [RateName, object] => [
      rate,
      { observed: decimal(observed), out_of: decimal(outOf) }
    ])
  )
})

/** The observed rates taken as exact, as one does without an outlook. */
const observedAsExact = (seen: ReturnType<typeof send>): Campaign => ({
  ...plain,
  ...Object.fromEntries(
    seen.map(({ observed, outOf, rate }) => [rate, decimal(outOf === 0 ? planned[rate] : (100 * observed) / outOf)])
  )
})

/** How many of the counts lie between low and high, stage by stage. */
const held = (forecast: Outlook, result: ReturnType<typeof send>): ReadonlyArray<number> =>
  stages.map((stage, index) => {
    const count = result[index]?.observed ?? 0
    return count >= forecast[stage].low && count <= forecast[stage].high ? 1 : 0
  })

const show = (share: number) => `${(share * 100).toFixed(1)} %`.padStart(18)

console.log(`Share of ${campaigns} simulated campaigns that the 80 % interval holds, seed ${values.seed}`)
console.log(
  ["emails seen", ...stages, "clients, promised", "observed as exact"].map((name) => name.padStart(18)).join("")
)
for (const emailsSeen of [200, 800, 5000]) {
  const sums = stages.map(() => 0)
  let promised = 0
  let exact = 0
  for (let campaign = 0; campaign < campaigns; campaign++) {
    const truth = perRate((rate) => (planned[rate] / 100) * 2 ** (2 * random() - 1))
    const seen = send(emailsSeen, truth)
    const result = send(emailsForecast, truth)
    const forecast = outlook(withEvidence(seen))
    for (const [index, hit] of held(forecast, result).entries()) sums[index] = (sums[index] ?? 0) + hit
    promised += forecast.clients.chance_within
    exact += held(outlook(observedAsExact(seen)), result)[3] ?? 0
  }
  const shares = [...sums, promised, exact].map((sum) => show(sum / campaigns))
  console.log(String(emailsSeen).padStart(18) + shares.join(""))
  if (sums.some((sum) => sum / campaigns < 0.75)) process.exitCode = 1
}
