import { rateNames } from "../../campaign/Rates.ts"
import type { GoalAnswer } from "./GoalAnswer.ts"
import { doubtNotes } from "./GoalNotes.ts"
import type { GoalRequest } from "./GoalRequest.ts"
import { aims, isMoney } from "./GoalTarget.ts"
import { such } from "../../forecast/Spoken.ts"
import { listed } from "../../forecast/Words.ts"
import { counted, figure, money, percent } from "../../text/Figures.ts"

const words = (name: string) => name.replaceAll("_", " ")

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

/** The inputs without which an aim of money is unknown. */
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

/** A sentence or two for a person who asked about a goal. */
export const ofGoal = (answer: GoalAnswer, { assumptions, goal }: GoalRequest): string => {
  const doubts = answer.chance_now === null ? [] : doubtNotes(goal, assumptions)
  return [ofSolved(answer), ...doubts.map(words)].join(" ")
}
