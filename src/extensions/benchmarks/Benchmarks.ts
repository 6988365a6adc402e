import { Schema } from "effect"
import { described } from "../../input/Schemas.ts"
import { RiskFlag } from "../../forecast/benchmarks/RiskFlags.ts"

const unit = Schema.Literals(["%", "USD", "emails"]).annotate({
  title: "Unit",
  description: "The unit of the figure.",
  examples: ["%"]
})

const per = Schema.NullOr(Schema.String).annotate({
  description: "The denominator: what the figure is counted per. Null if the publisher does not say.",
  examples: ["contact"]
})

const Benchmark = Schema.Struct({
  row: described(Schema.Int, "Number of the row; figures published together have the same number.", 1),
  measure: Schema.String.annotate({ description: "What is counted or measured.", examples: ["replies"] }),
  tier: Schema.String.annotate({ description: "Percentile, tier or circumstance.", examples: ["top quartile"] }),
  value: Schema.NullOr(Schema.Finite).annotate({ description: "The figure. Null for a range.", examples: [5.5] }),
  range: described(
    Schema.NullOr(Schema.Struct({ low: Schema.Finite, high: Schema.Finite })),
    "The ends of a range. Null for a single figure.",
    { low: 1, high: 3 }
  ),
  unit,
  per,
  publisher: Schema.String.annotate({ description: "Publisher.", examples: ["Instantly"] }),
  year: described(Schema.NullOr(Schema.String), "Year or years of publication. Null if there is none.", "2026"),
  sample: described(
    Schema.NullOr(Schema.String),
    "The sample that it was measured on. Null if unknown.",
    "3,626 campaigns"
  ),
  url: described(
    Schema.NullOr(Schema.String),
    "Address of the publication. Null if only a quotation or the publisher's name is available.",
    "https://gtmexperts.org"
  ),
  license: described(
    Schema.NullOr(Schema.String),
    "The licence of the figure, which asks you to name the publisher and the licence and to link to both. Null if the publisher names none.",
    "CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)"
  ),
  seen: described(
    Schema.Literals(["primary", "quoted"]).annotate({ title: "Seen" }),
    "primary: seen on the publisher's own page; quoted: seen only where another source quotes it.",
    "primary"
  )
}).annotate({
  identifier: "Benchmark",
  description: "A published figure or range.",
  examples: [
    {
      row: 2,
      measure: "replies",
      tier: "good",
      value: null,
      range: { low: 5, high: 8 },
      unit: "%",
      per: "contact",
      publisher: "LeadGrow",
      year: "2026",
      sample: "3,626 campaigns",
      url: "https://gtmexperts.org",
      license: null,
      seen: "primary"
    }
  ]
})

const boundFields = {
  of: described(Schema.String, "The figure of a forecast that it is compared with.", "close_rate"),
  value: Schema.Finite.annotate({ description: "The number.", examples: [2.6] }),
  unit,
  per,
  because: described(
    Schema.String,
    "The kind of number, or the reason for it.",
    "the lowest planning figures make 2.6% of booked meetings"
  ),
  from: described(
    Schema.NullOr(Schema.String),
    "Publisher and year of its basis. Null if it is this service's own.",
    "Alchemail 2025/26"
  ),
  rows: described(Schema.Array(Schema.Int), "The rows that it is based on; empty if it is this service's own.", [13])
}

const Threshold = Schema.Struct({
  flag: RiskFlag.annotate({ description: "The risk flag that is raised.", examples: ["low_reply_rate"] }),
  raised: described(
    Schema.Literals(["below", "above"]).annotate({ title: "Raised" }),
    "Which side of the value raises the flag.",
    "below"
  ),
  ...boundFields
}).annotate({
  identifier: "BenchmarkThreshold",
  description: "A number beyond which a risk flag is raised.",
  examples: [
    {
      flag: "low_close_rate",
      raised: "below",
      of: "close_rate",
      value: 2.6,
      unit: "%",
      per: "booked meeting",
      because: "the lowest planning figures make 2.6% of booked meetings",
      from: "Alchemail 2025/26",
      rows: [13]
    }
  ]
})

const Reference = Schema.Struct(boundFields).annotate({
  identifier: "BenchmarkReference",
  description: "A number that recommendations compare with.",
  examples: [
    {
      of: "reply_rate",
      value: 3.43,
      unit: "%",
      per: "contact",
      because: "measured mean",
      from: "Instantly 2026, quoted by another",
      rows: [1]
    }
  ]
})

/** Published figures on cold outreach, and the thresholds and references that the service derives from them. */
export const Benchmarks = Schema.Struct({
  rows: Schema.Array(Benchmark).annotate({ description: "The published figures and ranges." }),
  thresholds: Schema.Array(Threshold).annotate({ description: "The numbers beyond which risk flags are raised." }),
  references: Schema.Array(Reference).annotate({ description: "The numbers that recommendations compare with." })
})
export type Benchmarks = typeof Benchmarks.Type
