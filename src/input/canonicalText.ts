import { Schema } from "effect"

/** The default spread is the same as none: a request answered before `spread` existed is the same without it. */
const withoutDefaults = (name: string, value: unknown): unknown =>
  name === "spread" && value === "published" ? undefined : value

/**
 * Creates a function that writes values of a schema as JSON: the same text for equal values, however they were spelled,
 * and different ones for others. An optional field that is left out is not in it, so a new one changes nothing for
 * callers that do not send it.
 */
export const canonicalText = <A>(schema: Schema.Codec<A, unknown>): ((value: A) => string) => {
  const encode = Schema.encodeSync(Schema.toCodecJson(schema))
  return (value) => JSON.stringify(encode(value), withoutDefaults)
}
