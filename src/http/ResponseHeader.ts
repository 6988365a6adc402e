/** Header fields as they are written into an answer: names in lower case. */
export type HeaderFields = Readonly<Record<string, string>>

/** What the document says of a response header. */
export interface DocumentedHeader {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly example: string | number
}

/** A response header: what the document says of it, and how it is written. */
interface ResponseHeader<Value extends ReadonlyArray<unknown>> extends DocumentedHeader {
  /** Its name in lower case. */
  readonly field: string
  /** Its text. */
  readonly write: (...value: Value) => string
  /** The field with its text. */
  readonly of: (...value: Value) => HeaderFields
}

/** A header whose text `write` makes of a value. */
export const header = <Value extends ReadonlyArray<unknown>>(
  name: string,
  described: Omit<ResponseHeader<Value>, "name" | "field" | "of">
): ResponseHeader<Value> => {
  const field = name.toLowerCase()
  return { name, field, ...described, of: (...value) => ({ [field]: described.write(...value) }) }
}

/** A header that always has the same value. */
export const fixed = (name: string, value: string, description: string): ResponseHeader<[]> =>
  header(name, { description, schema: { type: "string", enum: [value] }, example: value, write: () => value })

/** How a header is written whose value is its text. */
export const text = (value: string) => value
