import { Schema, SchemaTransformation } from "effect"

/** The most entries of the ledger on a page, and how many there are by default. */
const largestPageSize = 200
export const defaultPageSize = 50

/** A whole number from 1 to `maximum`, in decimal digits as a query has them. */
const digits = (maximum: number) => {
  const report = { code: "out_of_range", message: `must be a whole number from 1 to ${maximum}` }
  return Schema.String.check(
    Schema.makeFilter((text) => Number(text) <= maximum, report),
    Schema.isPattern(/^[1-9][0-9]{0,15}$/u, report)
  )
}

/** The query that selects a page of the ledger. */
export const LedgerQuery = Schema.Struct({
  cursor: Schema.optionalKey(
    digits(Number.MAX_SAFE_INTEGER).annotate({
      description: "The next_cursor of the previous page.",
      examples: ["1042"]
    })
  ),
  limit: Schema.optionalKey(
    digits(largestPageSize).pipe(
      Schema.decodeTo(
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: largestPageSize })),
        SchemaTransformation.numberFromString
      ),
      Schema.annotate({
        description: "How many entries a page has at most.",
        default: defaultPageSize,
        examples: [defaultPageSize]
      })
    )
  )
})
