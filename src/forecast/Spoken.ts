import { rateNames } from "../campaign/Rates.ts"
import { clientRange, counted, figure, integer, money, people, percent } from "../text/Figures.ts"
import type { RiskFlag } from "./benchmarks/RiskFlags.ts"
import type { Forecast } from "./ForecastAnswer.ts"
import type { GoalAnswer } from "./goals/GoalAnswer.ts"
import { doubtNotes } from "./goals/GoalNotes.ts"
import type { GoalRequest } from "./goals/GoalRequest.ts"
import { aims, isMoney } from "./goals/GoalTarget.ts"
import type { ProgressAnswer } from "./progress/ProgressAnswer.ts"
import { listed, ofHundred } from "./Words.ts"

/** What a person should hear of an answer, in a sentence or two. */

const such = (chance: number) => `${ofHundred(chance)} such campaigns`

const words = (name: string) => name.replaceAll("_", " ")

/** True if a flag says that a number of the plan may be wrong, or is the first to change. */
const isDoubt = (flag: RiskFlag) =>
  /^(?:low|optimistic)_/.test(flag) ||
  ["rates_look_like_fractions", "high_bounce_rate", "cost_looks_incomplete"].includes(flag)

export const ofForecast = ({
  estimated_profit: profit,
  outlook,
  recommendations,
  risk_flags: flags
}: Pick<Forecast, "estimated_profit" | "outlook" | "recommendations" | "risk_flags">): string => {
  const { chance_within, expected, high, low } = outlook.clients
  const range = `In ${such(chance_within)} this brings ${clientRange({ low, high }, integer)}, ${people(expected)} on average`
  const none = high === 0 ? "" : `; in ${ofHundred(outlook.chance_of_no_client)} none`
  const doubt = flags.some(isDoubt) ? recommendations.slice(0, 1) : []
  return [
    `${range}${none}.`,
    ...(profit === null ? [] : [`On average the profit is ${money(profit)}.`]),
    ...doubt
  ].join(" ")
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

/** What an aim of money is unknown without. */
const unknownWithout = {
  revenue: "a deal value",
  profit: "a deal value and a cost",
  roi_multiple: "a deal value and a cost above 0"
}

const ofSolved = ({ chance_now: chanceNow, expected_now: now, goal, needed, reached }: GoalAnswer): string => {
  const aim = aims.find((name) => goal[name] !== undefined) ?? "clients"
  const how = (chance: number | undefined) => (chance === undefined ? "on average" : `in ${such(chance)}`)
  const aimText = aimWords[aim](goal[aim] ?? 0)
  const goalText = `${aimText} ${how(goal.chance)}`
  if (reached) {
    return `The campaign reaches ${aimText} ${how(goal.chance && (chanceNow ?? goal.chance))} as it is.`
  }
  if (now === null && isMoney(aim)) {
    return `Whether the campaign reaches ${goalText} is unknown without ${unknownWithout[aim]}.`
  }
  const { beyond, within } = leversOf(needed)
  if (within.length + beyond.length === 0) return `No change of a single input is enough for ${goalText}.`
  if (within.length === 0) return `For ${goalText} it takes ${listed(beyond, "or")}, beyond what is published.`
  const others = beyond.length === 0 ? "" : ` So would ${listed(beyond, "or")}, but that is beyond what is published.`
  return `For ${goalText}, ${listed(within, "or")} would be enough.${others}`
}

export const ofGoal = (answer: GoalAnswer, { assumptions, goal }: GoalRequest): string => {
  const doubts = answer.chance_now === null ? [] : doubtNotes(goal, assumptions)
  return [ofSolved(answer), ...doubts.map(words)].join(" ")
}

export const ofProgress = ({ end, plan }: ProgressAnswer): string => {
  const { chance_within, expected, high, low, so_far: won } = end.clients
  const planned = counted(plan.clients, "client")
  const brought = high === 0 ? "no client" : clientRange({ low, high }, integer)
  if (low === high && chance_within === 1) return `It is over, with ${brought}; the plan, rounded up, was ${planned}.`
  const reached = won >= plan.clients ? "already reached" : `reached in ${ofHundred(plan.chance_of_at_least)}`
  return (
    `In ${such(chance_within)} it ends with ${brought}, ${people(expected)} on average; the plan, ` +
    `rounded up to ${planned}, is ${reached}.`
  )
}
