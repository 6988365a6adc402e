import { Struct } from "effect"
import { withFurther, wordsOf } from "../../forecast/forecastLines.ts"
import { ofHundred } from "../../forecast/Words.ts"
import { about, aboutAtLeast, aboutAtMost, figure, integer, percent, times } from "../../text/Figures.ts"
import type { GoalAnswer } from "./GoalAnswer.ts"

type Lever = keyof GoalAnswer["needed"]

/** A value of an input; what is needed is rounded to the safe side. */
const shown = (name: Lever, value: number | null, isNeeded: boolean): string => {
  if (value === null) return "not given"
  if (name === "emails_sent") return integer(value)
  if (name === "campaign_cost") return isNeeded ? aboutAtMost(value) : figure(value)
  if (name === "average_deal_value") return isNeeded ? aboutAtLeast(value) : figure(value)
  return percent(value)
}

/** The lines that an agent reads of an answer to a goal: its summary, and each input changed alone. */
export const goalLines = ({
  chance_now: chance,
  expected_now: now,
  goal,
  needed,
  reached,
  summary
}: GoalAnswer): ReadonlyArray<string> => {
  const isMoney = goal.revenue !== undefined || goal.profit !== undefined
  const expected = now === null ? "unknown" : isMoney ? about(now) : figure(now)
  const hopeless = Struct.keys(needed).filter((name) => needed[name]?.needed === null)
  const levers = Struct.keys(needed).flatMap((name) => {
    const lever = needed[name]
    if (lever === undefined || lever.needed === null) return []
    const { current, factor, needed: value } = lever
    const isBeyond = "beyond_published" in lever && lever.beyond_published === true
    return [
      `${wordsOf(name)}: ${shown(name, current, false)} → ${shown(name, value, true)}` +
        `${factor === null ? "" : ` (${times(factor)})`}${isBeyond ? ", beyond what is published" : ""}`
    ]
  })
  const lines = [
    summary,
    `now: expected ${expected}, ${chance === null ? "chance unknown" : `reached in ${ofHundred(chance)}`}; ${reached ? "reached" : "not reached"}`,
    "input changed alone: current → needed"
  ]
  return withFurther(lines, [
    ...levers,
    ...(hopeless.length === 0 ? [] : [`no value is enough: ${hopeless.map(wordsOf).join(", ")}`])
  ])
}
