import { Array as Arr, Schema } from "effect"
import { rateNames, rates } from "../../campaign/Rates.ts"
import { decodeFields } from "../../input/decodeFields.ts"
import { optional } from "../../input/Schemas.ts"
import type { Benchmarks } from "./Benchmarks.ts"
import { currentBenchmarks } from "./CurrentBenchmarks.ts"
import { publishedFigures, type PublishedFigures } from "../../forecast/benchmarks/PublishedFigures.ts"

const Measure = Schema.Literals([...rateNames, "cost_per_meeting", "emails_per_mailbox"])

/** A measure that has benchmarks. */
export type Measure = typeof Measure.Type

/** The counts in the published figures of a measure, besides those who pass its rate. */
const alsoCounted: { readonly [name in Measure]?: ReadonlyArray<string> } = {
  delivery_rate: ["bounces"],
  reply_rate: ["replies to follow-ups", "campaigns with fewer replies than 1% of emails"],
  meeting_booking_rate: ["meetings"],
  close_rate: ["opportunities"],
  cost_per_meeting: ["cost"],
  emails_per_mailbox: ["cold emails", "emails from which Gmail's bulk-sender rules hold", "spam complaints"]
}

/** The request for benchmarks: a measure, or none for the list of measures. */
export const BenchmarksRequest = Schema.Struct({
  measure: optional(Measure.annotate({ description: "Leave it out to list the measures." }))
})

export const decodeBenchmarksRequest = decodeFields(BenchmarksRequest)

const figuresOf = (measure: Measure) => {
  const passed = rateNames.find((name) => name === measure)
  const counted = new Set(alsoCounted[measure])
  if (passed !== undefined) counted.add(rates[passed].passed.words)
  return publishedFigures.filter((figures) => counted.has(figures.measure))
}

const sourceName = ({ publisher, seen, year }: PublishedFigures["source"]): string =>
  [publisher, year, seen === "quoted" ? "quoted by another" : null].filter((part) => part !== null).join(", ")

const shortFigure = ({ measure, per, source, unit, values }: PublishedFigures, names: ReadonlyArray<string>) => ({
  of: measure,
  unit,
  ...(per !== null && { per }),
  values,
  /** Its place in the list of sources, from 0. */
  source: names.indexOf(sourceName(source)),
  ...(source.sample !== null && { sample: source.sample })
})

/** The address of a source, and its licence, which asks to name both. */
const shortSource = ({ source }: PublishedFigures) => ({
  name: sourceName(source),
  ...(source.url !== null && { url: source.url }),
  ...(source.license !== null && { license: source.license })
})

const shortBound = ({ because, per, unit, value }: Benchmarks["references"][number]) => ({
  value,
  unit,
  ...(per !== null && { per }),
  because
})

/**
 * The published figures of a measure, their sources, the bounds beyond which forecasts warn, and the numbers that
 * advice compares with; short, without what is unknown.
 */
export const benchmarksOf = (measure: Measure) => {
  const of = measure === "emails_per_mailbox" ? "emails_sent" : measure
  const figures = figuresOf(measure)
  const sources = Arr.dedupeWith(figures.map(shortSource), (a, b) => a.name === b.name)
  const names = sources.map(({ name }) => name)
  return {
    measure,
    figures: figures.map((each) => shortFigure(each, names)),
    sources,
    warnings: currentBenchmarks.thresholds
      .filter((threshold) => threshold.of === of)
      .map(({ flag, raised, ...bound }) => ({ flag, raised, ...shortBound(bound) })),
    references: currentBenchmarks.references.filter((reference) => reference.of === of).map(shortBound)
  }
}

/** The measures, and how many published figures each has. */
export const measures = Measure.literals.map((measure) => ({ measure, figures: figuresOf(measure).length }))
