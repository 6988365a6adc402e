import { Schema } from "effect"

/** A time in UTC in a response, such as 2026-11-23T08:09:59.022Z. */
export const dateTime = Schema.String.annotate({ format: "date-time" })

/** A schema with what documents say of it: a sentence, and an example of its values. */
export const described = <S extends Schema.Top>(schema: S, description: string, example: S["Type"]): S["Rebuild"] =>
  schema.annotate({ description, examples: [example] })
