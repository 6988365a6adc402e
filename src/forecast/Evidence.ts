import { BigDecimal, Schema } from "effect"
import { count } from "../input/Numbers.ts"

const tries = (description: string, example: number) =>
  count({ minimum: 0, maximum: 100_000_000, description, example })

const observed = tries("How many of them it happened for.", 31)
const outOf = tries("How many were tried: emails for the reply rate, meetings for the close rate, and so on.", 800)

const Measurement = Schema.Struct({ observed, out_of: outOf }).check(
  Schema.makeFilter(
    (measured) =>
      BigDecimal.isLessThanOrEqualTo(measured.observed, measured.out_of)
        ? undefined
        : { path: ["observed"], issue: "must be at most out_of" },
    { code: "out_of_range", message: "must be at most out_of" }
  )
)

const measured = Schema.optionalKey(Measurement)

/** What rates were measured on: for each, how often it was observed and out of how many, in exact whole numbers. */
export const Evidence = Schema.Struct({
  reply_rate: measured,
  positive_reply_rate: measured,
  meeting_booking_rate: measured,
  close_rate: measured,
  delivery_rate: measured,
  show_rate: measured
}).check(
  Schema.makeFilter((evidence) => Object.keys(evidence).length > 0, {
    code: "required",
    message: 'must have at least one rate, as in {"reply_rate": {"observed": 31, "out_of": 800}}, or be left out'
  })
)
export type Evidence = typeof Evidence.Type

const MeasurementRequest = Schema.Struct({ observed: Schema.toEncoded(observed), out_of: Schema.toEncoded(outOf) })

const measurementRequest = (of: string) =>
  Schema.optionalKey(Schema.NullOr(MeasurementRequest).annotate({ description: `Measured on ${of}.` }))

/** The JSON object that carries evidence: at least one rate, where `null` counts as left out. */
export const EvidenceRequest = Schema.Struct({
  reply_rate: measurementRequest("emails, or on delivered emails where delivery_rate is given"),
  positive_reply_rate: measurementRequest("replies"),
  meeting_booking_rate: measurementRequest("positive replies"),
  close_rate: measurementRequest("booked meetings, or on held ones where show_rate is given"),
  delivery_rate: measurementRequest("emails; needs delivery_rate in the request"),
  show_rate: measurementRequest("booked meetings; needs show_rate in the request")
}).annotate({
  description: "What rates were measured on, for those that were. Each observed is at most its out_of.",
  examples: [{ reply_rate: { observed: 31, out_of: 800 }, close_rate: { observed: 1, out_of: 3 } }]
})
