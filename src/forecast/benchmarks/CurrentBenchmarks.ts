import { Record } from "effect"
import { lowFlag, optimisticFlag } from "../Assessment.ts"
import type { Benchmarks } from "./Benchmarks.ts"
import { publishedFigures } from "./PublishedFigures.ts"
import {
  type Bound,
  type BoundRate,
  emailsPerMailbox,
  furtherReferences,
  highVolume,
  rateBounds,
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

const thresholdsOf = (rate: BoundRate): ReadonlyArray<Threshold> => {
  const { high, low, per } = rateBounds[rate]
  return [
    { flag: lowFlag[rate], raised: "below", ...reference(rate, low, per) },
    { flag: optimisticFlag[rate], raised: "above", ...reference(rate, high, per) }
  ]
}

/** The published figures, with the thresholds and references of the service and the rows that each stands on. */
export const currentBenchmarks: Benchmarks = {
  rows,
  thresholds: [
    ...Record.keys(rateBounds).flatMap(thresholdsOf),
    { flag: "high_volume", raised: "above", ...reference("emails_sent", highVolume, "campaign", "emails") },
    {
      flag: "small_sample",
      raised: "above",
      of: "chance_of_no_client",
      value: smallSample * 100,
      unit: "%",
      per: "campaign",
      because: "in more than 20 of 100 such campaigns nobody becomes a client",
      from: null,
      rows: []
    }
  ],
  references: [
    ...Record.keys(rateBounds).map((rate) => reference(rate, rateBounds[rate].reference, rateBounds[rate].per)),
    reference("delivery_rate", furtherReferences.delivery_rate, "email"),
    reference("show_rate", furtherReferences.show_rate, "booked meeting"),
    reference("emails_sent", emailsPerMailbox, "mailbox and month", "emails")
  ]
}
