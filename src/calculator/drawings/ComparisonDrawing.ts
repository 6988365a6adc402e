import type { Html } from "../../text/html.ts"
import type { Comparison } from "../../forecast/outlook/CompareCampaigns.ts"
import type { PairShares } from "../PairShares.ts"
import { bar, drawing, label } from "./Svg.ts"

/** Of 100 pairs of campaigns, the number in which the first ends better, both end the same, and the second ends better. */
export const comparisonDrawing = (
  { chance_equal: equal, chance_first_is_better: better }: Comparison,
  shares: PairShares,
  [first, second]: readonly [string, string]
): Html => {
  const start = better * 100
  const end = (better + equal) * 100
  return drawing(
    40,
    `${first} ends better in ${shares.first} pairs, both end the same in ${shares.same}, ${second} ends better in ${shares.second}.`,
    [
      bar("gain", 0, start, 0, 22),
      bar("same", start, end, 0, 22),
      bar("other", end, 100, 0, 22),
      label("soft", 0, 37, shares.first, "start"),
      label("soft", 100, 37, shares.second, "end")
    ]
  )
}
