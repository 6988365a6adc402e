import { lowFlag, optimisticFlag } from "../Assessment.ts"
import type { Benchmarks } from "./Benchmarks.ts"
import { boundRates } from "../advice/PublishedRates.ts"
import { publishedFigures } from "./PublishedFigures.ts"
import {
  type Bound,
  type BoundRate,
  emailsPerMailbox,
  highVolume,
  leastMeetingCost,
  lowCloseOfHeld,
  type RateBound,
  rateBounds,
  references,
  smallSample
} from "./Thresholds.ts"

type Threshold = Benchmarks["thresholds"][number]
type Reference = Benchmarks["references"][number]

const rows: Benchmarks["rows"] = publishedFigures.flatMap(({ measure, per, row, source, unit, values }) =>
  Object.entries(values).map(([tier, value]) => ({
    row,
    measure,
    tier,
    value: typeof value === "number" ? value : null,
    range: typeof value === "number" ? null : { low: value[0], high: value[1] },
    unit,
    per,
    publisher: source.publisher,
    year: source.year,
    sample: source.sample,
    url: source.url,
    license: source.license,
    seen: source.seen
  }))
)

const reference = (
  of: string,
  { because, from, rows, value }: Bound,
  per: string,
  unit: Reference["unit"] = "%"
): Reference => ({ of, value, unit, per, because, from, rows })

const ofRate = (of: string, bound: RateBound): Reference => reference(of, bound, bound.per)

const thresholdsOf = (rate: BoundRate): ReadonlyArray<Threshold> => {
  const { high, low } = rateBounds[rate]
  const lows: ReadonlyArray<RateBound> = rate === "close_rate" ? [low, lowCloseOfHeld] : [low]
  return [
    ...lows.map((bound): Threshold => ({ flag: lowFlag[rate], raised: "below", ...ofRate(rate, bound) })),
    { flag: optimisticFlag[rate], raised: "above", ...ofRate(rate, high) }
  ]
}

/** The published figures, with the thresholds and references of the service and the rows that each is based on. */
export const currentBenchmarks: Benchmarks = {
  rows,
  thresholds: [
    ...boundRates.flatMap(thresholdsOf),
    { flag: "high_volume", raised: "above", ...reference("emails_sent", highVolume, "campaign", "emails") },
    {
      flag: "small_sample",
      raised: "above",
      of: "chance_of_no_client",
      value: smallSample * 100,
      unit: "%",
      per: "campaign",
      because: "more than 20 of 100 such campaigns win no client",
      from: null,
      rows: []
    },
    {
      flag: "cost_looks_incomplete",
      raised: "below",
      ...reference("cost_per_meeting", leastMeetingCost, "booked meeting", "USD")
    }
  ],
  references: [
    ...Object.values(references).map((each) => ofRate(each.of, each)),
    reference("emails_sent", emailsPerMailbox, "mailbox and month", "emails")
  ]
}
