import { rateNames } from "../../campaign/Rates.ts"
import type { GoalAnswer } from "./GoalAnswer.ts"
import { doubtNotes, type EmailsAtCost, emailsAtCost, emailsCostText, timesAsMany } from "./GoalNotes.ts"
import { BigDecimal } from "effect"
import { expectedAt } from "../../forecast/Campaign.ts"
import type { Decimal } from "../../forecast/Decimal.ts"
import type { GoalRequest } from "./GoalRequest.ts"
import { aims, isMoney } from "./GoalTarget.ts"
import { wordsOf } from "../../forecast/forecastLines.ts"
import { firstSentences, maxSentences, such } from "../../forecast/Spoken.ts"
import { listed } from "../../forecast/Words.ts"
import { about, aboutAtLeast, aboutAtMost, counted, figure, money, percent } from "../../text/Figures.ts"

const aimWords = {
  replies: (target: number) => counted(target, "reply", "replies"),
  meetings: (target: number) => counted(target, "meeting"),
  clients: (target: number) => counted(target, "client"),
  revenue: (target: number) => `a revenue of ${money(target)}`,
  profit: (target: number) => `a profit of ${money(target)}`,
  roi_multiple: (target: number) =>
    target === 1 ? "a revenue that covers the cost" : `a revenue of ${figure(target)} times the cost`
}

/**
 * The values that each input alone would need: those of which the like is published, and those beyond. Emails whose cost
 * is known have a sentence of their own.
 */
const leversOf = (needed: GoalAnswer["needed"], isCostKnown: boolean) => {
  const [within, beyond]: [Array<string>, Array<string>] = [[], []]
  const { factor, needed: emails } = needed.emails_sent
  if (emails !== null && !isCostKnown) within.push(`${counted(emails, "email")} (${timesAsMany(factor ?? 1)})`)
  for (const name of rateNames) {
    const { beyond_published: isBeyond = null, needed: rate = null } = needed[name] ?? {}
    if (rate !== null) (isBeyond === true ? beyond : within).push(`a ${wordsOf(name)} of ${percent(rate)}`)
  }
  for (const name of ["average_deal_value", "campaign_cost"] as const) {
    const amount = needed[name]?.needed ?? null
    if (amount !== null)
      within.push(
        name === "campaign_cost" ? `a cost of ${aboutAtMost(amount)}` : `an ${wordsOf(name)} of ${aboutAtLeast(amount)}`
      )
  }
  return { within, beyond }
}

/** The inputs without which an aim of money is unknown. */
const unknownWithout = {
  revenue: "a deal value",
  profit: "a deal value and a cost",
  roi_multiple: "a deal value and a cost above 0"
}

/** The figures of an answer to a goal. */
type SolvedGoal = Omit<GoalAnswer, "summary">

const ofSolved = (
  { chance_now: chanceNow, expected_now: now, goal, needed, reached }: SolvedGoal,
  atCost: EmailsAtCost | undefined
): string => {
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
  const { beyond, within } = leversOf(needed, atCost !== undefined)
  const [cost, start] =
    atCost === undefined
      ? ["", `For ${goalText}`]
      : [`${emailsCostText(atCost, goalText, about)} `, "With the emails as planned"]
  if (within.length + beyond.length === 0) {
    return atCost === undefined ? `No change of a single input is enough for ${goalText}.` : cost.trimEnd()
  }
  if (within.length === 0) return `${cost}${start}, it takes ${listed(beyond, "or")}, beyond what is published.`
  const others = beyond.length === 0 ? "" : `; so would ${listed(beyond, "or")}, but that is beyond what is published`
  return `${cost}${start}, ${listed(within, "or")} would be enough${others}.`
}

/** The expected clients of the campaign as it is; undefined if a history taught other rates, and the goal is no client. */
const clientsNow = (
  { expected_now: now, goal }: SolvedGoal,
  assumptions: GoalRequest["assumptions"]
): Decimal | undefined => {
  if (assumptions.history === undefined) return expectedAt(assumptions, "clients")
  return goal.clients === undefined || now === null ? undefined : BigDecimal.fromNumberUnsafe(now)
}

/** The cost and the revenue of the needed emails of an answer. */
export const atCostOf = (
  answer: SolvedGoal,
  { assumptions, goal }: Pick<GoalRequest, "assumptions" | "goal">
): EmailsAtCost | undefined =>
  emailsAtCost(goal, assumptions, answer.needed.emails_sent.needed, clientsNow(answer, assumptions))

/** The sentences to pass on about a goal: the doubt first, then what reaches it. */
export const ofGoal = (answer: SolvedGoal, request: Pick<GoalRequest, "assumptions" | "goal">): string => {
  const { assumptions, goal } = request
  const doubts = answer.chance_now === null ? [] : doubtNotes(goal, assumptions)
  const sentences = doubts.flatMap((doubt) => firstSentences(wordsOf(doubt)))
  const solved = firstSentences(ofSolved(answer, atCostOf(answer, request)), maxSentences - sentences.length)
  return [...sentences, ...solved].join(" ")
}
