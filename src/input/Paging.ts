import { Schema, SchemaTransformation } from "effect"

/** A whole number from 1 to `maximum` in a query, in decimal digits. */
export const digits = (maximum: number) => {
  const report = { code: "out_of_range", message: `must be a whole number from 1 to ${maximum}` }
  return Schema.String.check(
    Schema.makeFilter((text) => Number(text) <= maximum, report),
    Schema.isPattern(/^[1-9][0-9]{0,14}$/u, report)
  )
}

/** The parameter that limits the size of a page, and its default. */
export const pageSize = (what: string, fallback: number, largest: number) =>
  Schema.optionalKey(
    digits(largest).pipe(
      Schema.decodeTo(
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: largest })),
        SchemaTransformation.numberFromString
      ),
      Schema.annotate({
        description: `The maximum number of ${what} on a page.`,
        default: fallback,
        examples: [fallback]
      })
    )
  )

/** The field of a page that leads to the next one. */
export const nextCursor = (example: string) =>
  Schema.NullOr(Schema.String).annotate({
    description: "Pass it as cursor to get the next page; null on the last page.",
    examples: [example]
  })

/** The link of a page to the next one, which the operation `operationId` returns. */
export const nextPage = (operationId: string) => ({
  operationId,
  description: "The next page, unless next_cursor is null.",
  parameters: { cursor: "$response.body#/next_cursor" }
})
