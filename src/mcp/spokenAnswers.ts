import { Schema } from "effect"
import { rateNames } from "../campaign/Rates.ts"
import { KeyUsage } from "../owner/KeyUsage.ts"
import type { benchmarksOf, measures } from "../forecast/benchmarks/MeasureBenchmarks.ts"
import { Forecast } from "../forecast/Forecast.ts"
import { GoalAnswer } from "../forecast/goals/Goals.ts"
import { aims } from "../forecast/goals/GoalTarget.ts"
import { clientRange } from "../forecast/outlook/OutlookNotes.ts"
import { ProgressAnswer } from "../forecast/progress/Progress.ts"
import { listed, ofHundred } from "../forecast/Words.ts"
import { counted, figure, integer, money, people, percent } from "../text/Figures.ts"
import type { CampaignsBrief, RankedCampaign } from "./CampaignsBrief.ts"

/** What a person should hear of an answer, in a sentence or two. */

const reader = <A, I>(schema: Schema.Codec<A, I>) => Schema.decodeSync(Schema.fromJsonString(schema))

const such = (chance: number) => `${ofHundred(chance)} such campaigns`

const words = (name: string) => name.replaceAll("_", " ")

const readForecast = reader(Schema.Struct(Forecast.fields))

export const ofForecast = (answer: string): string => {
  const { estimated_profit: profit, outlook } = readForecast(answer)
  const { chance_within, expected, high, low } = outlook.clients
  const range = `In ${such(chance_within)} this brings ${clientRange(low, high)}, ${people(expected)} on average`
  const none = high === 0 ? "" : `; in ${ofHundred(outlook.chance_of_no_client)} none`
  return `${range}${none}.${profit === null ? "" : ` On average the profit is ${money(profit)}.`}`
}

const aimWords = {
  replies: (target: number) => counted(target, "reply", "replies"),
  meetings: (target: number) => counted(target, "meeting"),
  clients: (target: number) => counted(target, "client"),
  revenue: (target: number) => `a revenue of ${money(target)}`,
  profit: (target: number) => `a profit of ${money(target)}`,
  roi_multiple: (target: number) =>
    target === 1 ? "a revenue that covers the cost" : `a revenue of ${figure(target)} times the cost`
}

const readGoal = reader(Schema.Struct(GoalAnswer.fields))

/** The values that each input alone would need: those of which the like is published, and those beyond. */
const leversOf = (needed: GoalAnswer["needed"]) => {
  const [within, beyond]: [Array<string>, Array<string>] = [[], []]
  if (needed.emails_sent.needed !== null) within.push(counted(needed.emails_sent.needed, "email"))
  for (const name of rateNames) {
    const { beyond_published: isBeyond = null, needed: rate = null } = needed[name] ?? {}
    if (rate !== null) (isBeyond === true ? beyond : within).push(`a ${words(name)} of ${percent(rate)}`)
  }
  for (const name of ["average_deal_value", "campaign_cost"] as const) {
    const amount = needed[name]?.needed ?? null
    if (amount !== null)
      within.push(name === "campaign_cost" ? `a cost of ${money(amount)}` : `an ${words(name)} of ${money(amount)}`)
  }
  return { within, beyond }
}

export const ofGoal = (answer: string): string => {
  const { expected_now: now, goal, needed, reached } = readGoal(answer)
  const aim = aims.find((name) => goal[name] !== undefined) ?? "clients"
  const how = goal.chance === undefined ? "on average" : `in ${such(goal.chance)}`
  const goalText = `${aimWords[aim](goal[aim] ?? 0)} ${how}`
  if (reached) return `The campaign reaches ${goalText} as it is.`
  if (now === null) {
    return `Whether the campaign reaches ${goalText} is unknown without a deal value${aim === "revenue" ? "" : " and a cost"}.`
  }
  const { beyond, within } = leversOf(needed)
  if (within.length + beyond.length === 0) return `No change of a single input is enough for ${goalText}.`
  if (within.length === 0) return `For ${goalText} it takes ${listed(beyond, "or")}, beyond what is published.`
  const others = beyond.length === 0 ? "" : ` So would ${listed(beyond, "or")}, but that is beyond what is published.`
  return `For ${goalText}, ${listed(within, "or")} would be enough.${others}`
}

const readProgress = reader(Schema.Struct(ProgressAnswer.fields))

export const ofProgress = (answer: string): string => {
  const { end, plan } = readProgress(answer)
  const { chance_within, expected, high, low, so_far: won } = end.clients
  const planned = clientRange(plan.clients, plan.clients)
  const brought = high === 0 ? "no client" : clientRange(low, high)
  if (low === high && chance_within === 1) return `It is over, with ${brought}; the plan, rounded up, was ${planned}.`
  const reached = won >= plan.clients ? "already reached" : `reached in ${ofHundred(plan.chance_of_at_least)}`
  return (
    `In ${such(chance_within)} it ends with ${brought}, ${people(expected)} on average; the plan, ` +
    `rounded up to ${planned}, is ${reached}.`
  )
}

const nameOf = ({ name }: RankedCampaign) => (typeof name === "number" ? `no. ${name + 1}` : name)

export const ofCampaigns = ({ ranking, totals }: CampaignsBrief): string => {
  const [first, second] = ranking.campaigns
  const total =
    totals.campaigns === 1
      ? ""
      : `Together ${counted(totals.campaigns, "campaign")} bring ${people(totals.estimated_clients)} clients on average, ` +
        `none in ${ofHundred(totals.chance_of_no_client)} cases. `
  if (first === undefined) return total.trim()
  const chance = first.chance_better_than_next
  const better =
    chance === null || second === undefined ? "" : `, better than ${nameOf(second)} in ${ofHundred(chance)} cases`
  return `${total}The best by ${ranking.by} is ${nameOf(first)}${better}.`
}

/** The most campaigns that have a line in the text. */
const maxLines = 100

/** A line for each campaign of a comparison, best first. */
export const linesOf = ({ ranking: { campaigns } }: CampaignsBrief): string => {
  const lines = campaigns.slice(0, maxLines).map((campaign, index) => {
    const { chance_better_than_next: chance, clients, high, low, profit } = campaign
    const profitText = profit === null ? "" : `, profit ${money(profit)}`
    const better = chance === null ? "" : `, better than the next in ${ofHundred(chance)}`
    return `${index + 1}. ${nameOf(campaign)}: ${people(clients)} clients (${low} to ${high})${profitText}${better}`
  })
  const left = campaigns.length - lines.length
  return [...lines, ...(left > 0 ? [`and ${integer(left)} more in the structured content`] : [])].join("\n")
}

export const ofMeasures = (list: typeof measures): string =>
  `There are published figures on ${listed(list.map(({ figures, measure }) => `${measure} (${figures})`))}. Name one as measure.`

type MeasureBenchmarks = ReturnType<typeof benchmarksOf>

const amount = (value: number, unit: string) => (unit === "%" ? percent(value) : `${figure(value)} ${unit}`)

const perWords = (per: string | undefined) => (per === undefined ? "" : ` per ${per}`)

export const ofBenchmarks = ({ figures, measure, warnings }: MeasureBenchmarks): string => {
  const bounds = warnings.map(({ per, raised, unit, value }) => `${raised} ${amount(value, unit)}${perWords(per)}`)
  const published = `${counted(figures.length, "publication")} on the ${words(measure)}`
  return bounds.length === 0 ? `Here are ${published}.` : `Here are ${published}; forecasts warn ${listed(bounds)}.`
}

/** A line for each published figure, and for each that advice compares with. */
export const figureLinesOf = ({ figures, references, sources }: MeasureBenchmarks): string =>
  [
    ...figures.map(({ of, per, source, unit, values }) => {
      const tiers = Object.entries(values).map(([tier, value]) =>
        typeof value === "number"
          ? `${tier} ${amount(value, unit)}`
          : `${tier} ${figure(value[0])} to ${amount(value[1], unit)}`
      )
      return `${of}${perWords(per)}: ${tiers.join(", ")} (${sources[source]?.name ?? ""})`
    }),
    ...references.map(
      ({ because, per, unit, value }) => `compared with: ${amount(value, unit)}${perWords(per)}, ${because}`
    )
  ].join("\n")

const readUsage = reader(KeyUsage)

export const ofUsage = (answer: string): string => {
  const { credits_remaining: left, month, requests, sub_key_credits_remaining: leftOfLimit } = readUsage(answer)
  return `${counted(leftOfLimit ?? left, "credit")} ${(leftOfLimit ?? left) === 1 ? "is" : "are"} left; ${counted(requests, "credit")} used in ${month}.`
}
