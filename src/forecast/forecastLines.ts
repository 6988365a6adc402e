import { about, aboutAtMost, integer, people, range } from "../text/Figures.ts"
import { stageNames } from "./Campaign.ts"
import type { Forecast } from "./ForecastAnswer.ts"
import { firstSentences } from "./Spoken.ts"
import { ofHundred } from "./Words.ts"

/** The range of a stage in a table: `0–8`. */
export const shortRange = (low: number, high: number): string => range(low, high, integer).replace(" to ", "–")

/** The name of a field in a table: `positive replies`. */
export const wordsOf = (name: string): string => name.replaceAll("_", " ")

/** The longest text, in characters: agents pay for each word, and have all of it in the answer. */
const maxText = 660

/**
 * Adds further lines to a text, the most useful first, and the first sentence of further advice, as far as there is
 * room: the summary has the first.
 */
export const withFurther = (
  lines: ReadonlyArray<string>,
  further: ReadonlyArray<string>,
  recommendations: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  let left = maxText - lines.join("\n").length
  const advice = recommendations.slice(1).map((text) => `- ${firstSentences(text, 1).join("")}`)
  return [...lines, ...[...further, ...advice].filter(({ length }) => (left -= length + 1) >= 0)]
}

const present = (...items: ReadonlyArray<string | false>) => items.filter((item) => item !== false)

/** The lines that an agent reads of a forecast: its summary, the stages, break-even, and further advice. */
export const forecastLines = ({
  break_even: { campaign_cost: most, emails_sent: fewest },
  estimated_profit: profit,
  outlook,
  performance_grade: grade,
  recommendations,
  risk_flags: flags,
  roi_multiple: roi,
  summary
}: Forecast): ReadonlyArray<string> => {
  const { chance_to_break_even: chance } = outlook
  const breakEven = present(
    chance !== null && `in ${ofHundred(chance)}`,
    fewest !== null && `from ${integer(fewest)} emails`,
    most !== null && `up to a cost of ${aboutAtMost(most)}`
  )
  const lines = [
    summary,
    "stage: expected, low–high",
    ...stageNames.map((stage) => {
      const { expected, high, low } = outlook[stage]
      return `${wordsOf(stage)}: ${people(expected)}, ${shortRange(low, high)}`
    }),
    present(
      `grade ${grade}`,
      profit !== null && `profit ${about(profit)}`,
      roi !== null && `ROI ${roi}`,
      flags.length > 0 && `flags ${flags.join(" ")}`
    ).join(", ")
  ]
  return withFurther(lines, breakEven.length === 0 ? [] : [`break-even: ${breakEven.join(", ")}`], recommendations)
}
