import { BigDecimal, Schema } from "effect"
import { count } from "../input/numberSchemas.ts"
import { membersOf } from "./Fields.ts"
import { observationBounds } from "./NumberBounds.ts"
import { optionalRates, type RateName, rates, requiredRates } from "./Rates.ts"

const tries = (description: string, example: number) => count({ ...observationBounds, description, example })

const observed = tries(
  "The number of successes: replies for the reply rate, clients for the close rate, and so on.",
  31
)
const outOf = tries("The number of trials: emails for the reply rate, meetings for the close rate, and so on.", 800)

const Measurement = Schema.Struct({ observed, out_of: outOf })
  .annotate({
    identifier: "Measurement",
    description: "The trials of a rate, and how many of them succeeded.",
    wireExamples: [{ observed: 31, out_of: 800 }]
  })
  .check(
    Schema.makeFilter(
      (measured) =>
        BigDecimal.isLessThanOrEqualTo(measured.observed, measured.out_of)
          ? undefined
          : { path: ["observed"], issue: "must be at most out_of" },
      { code: "out_of_range", message: "must be at most out_of" }
    )
  )

const measured = (rate: RateName) =>
  Schema.optionalKey(Measurement).pipe(Schema.annotateKey({ description: `Measured on ${rates[rate].measuredOn}.` }))

/** The counts that rates were measured on, as exact whole numbers. */
export const Evidence = Schema.Struct({
  ...membersOf(requiredRates, measured),
  ...membersOf(optionalRates, measured)
})
  .annotate({
    identifier: "Evidence",
    description: "The counts behind those rates that were measured. observed is at most out_of.",
    wireExamples: [{ reply_rate: { observed: 31, out_of: 800 } }]
  })
  .check(
    Schema.makeFilter((evidence) => Object.keys(evidence).length > 0, {
      code: "required",
      message: 'must have at least one rate, like {"reply_rate": {"observed": 31, "out_of": 800}}, or be left out',
      toJsonSchema: () => ({ minProperties: 1 })
    })
  )
export type Evidence = typeof Evidence.Type
