import { Schema } from "effect"
import { described } from "../input/Schemas.ts"

/** A number in an answer. */
export const number = (description: string, example: number) =>
  Schema.Finite.annotate({ description, examples: [example] })

/** A number in an answer, or null. */
export const numberOrNull = (description: string, example: number, whenNull = "Null when it cannot be computed.") =>
  Schema.NullOr(Schema.Finite).annotate({ description: `${description} ${whenNull}`, examples: [example] })

/** A whole number in an answer. */
export const count = (description: string, example: number) => Schema.Int.annotate({ description, examples: [example] })

/** The sentences of an answer to pass on, its first field. */
export const summary = (example: string) =>
  described(
    Schema.String,
    "One to three sentences to pass on: what is doubtful, the range of clients, and what to do first. Money is rounded.",
    example
  )

export const percentage = (description: string, example: number) => number(`${description} In percent.`, example)

const ofChance = "From 0 to 1, to 4 decimals."

export const chance = (description: string, example: number) =>
  described(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })), `${description} ${ofChance}`, example)

export const chanceOrNull = (description: string, example: number, whenNull: string) =>
  numberOrNull(`${description} ${ofChance}`, example, whenNull)
