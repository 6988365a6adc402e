import type { Benchmarks } from "./Benchmarks.ts"
import { riskFlagNames, riskOf, type Threshold } from "../../forecast/benchmarks/RiskFlags.ts"
import { publishedFigures } from "../../forecast/benchmarks/PublishedFigures.ts"
import { emailsPerMailbox, type RateBound, references } from "../../forecast/benchmarks/Thresholds.ts"

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
    ...source
  }))
)

const reference = (
  of: string,
  { because, from, rows, value }: Threshold["bound"],
  per: string,
  unit: Reference["unit"] = "%"
): Reference => ({ of, value, unit, per, because, from, rows })

const ofRate = (of: string, bound: RateBound): Reference => reference(of, bound, bound.per)

const thresholds: Benchmarks["thresholds"] = riskFlagNames.flatMap((flag) =>
  (riskOf(flag).thresholds ?? []).map(({ bound, of, per, raised, unit }) => ({
    flag,
    raised,
    ...reference(of, bound, per, unit)
  }))
)

/** The published figures, with the thresholds and references of the service and the rows that each is based on. */
export const currentBenchmarks: Benchmarks = {
  rows,
  thresholds,
  references: [
    ...Object.values(references).map((each) => ofRate(each.of, each)),
    reference("emails_sent", emailsPerMailbox, "mailbox and month", "emails")
  ]
}
