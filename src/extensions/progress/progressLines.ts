import { stageNames } from "../../forecast/Campaign.ts"
import { shortRange, withFurther, wordsOf } from "../../forecast/forecastLines.ts"
import { ofHundred } from "../../forecast/Words.ts"
import { clients, integer, people, shortPercent } from "../../text/Figures.ts"
import type { ProgressAnswer } from "./ProgressAnswer.ts"

/** The lines that an agent reads of a campaign in flight: its summary, the stages, the rates, and further advice. */
export const progressLines = ({
  against_the_plan: against,
  end,
  if_you_stop_now: { clients: stopped },
  recommendations,
  summary
}: ProgressAnswer): ReadonlyArray<string> => {
  const { chance_to_break_even: chance } = end
  const known = Object.entries(against).flatMap(([name, { observed, planned, verdict }]) =>
    observed === null
      ? []
      : [
          `${wordsOf(name)} ${shortPercent(observed)} (${shortPercent(planned)}${verdict === "as_planned" ? "" : `, ${verdict}`})`
        ]
  )
  const lines = [
    summary,
    "stage: so far, expected at the end, low–high",
    ...stageNames.map((stage) => {
      const { expected, high, low, so_far } = end[stage]
      return `${wordsOf(stage)}: ${integer(so_far)}, ${people(expected)}, ${shortRange(low, high)}`
    })
  ]
  const further = [
    known.length === 0 ? "" : `observed (planned): ${known.join(", ")}`,
    `if you stop now: ${clients(stopped.expected)}, ${shortRange(stopped.low, stopped.high)}`,
    chance === null ? "" : `break-even: in ${ofHundred(chance)}`
  ]
  return withFurther(lines, further, recommendations)
}
