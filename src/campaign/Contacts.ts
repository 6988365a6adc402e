import { BigDecimal } from "effect"
import type { FieldError } from "../input/InvalidInput.ts"

const hundred = BigDecimal.make(100n, 0)

/** More replies than contacts: not an optimistic rate but an impossible one. The page checks it too, without a decoder. */
export const checkContacts = (assumptions: {
  readonly emails_per_contact?: BigDecimal.BigDecimal | undefined
  readonly reply_rate: BigDecimal.BigDecimal
}): ReadonlyArray<FieldError> => {
  const { emails_per_contact: perContact, reply_rate } = assumptions
  return perContact === undefined ||
    BigDecimal.isLessThanOrEqualTo(BigDecimal.multiply(reply_rate, perContact), hundred)
    ? []
    : [
        {
          pointer: "/reply_rate",
          code: "out_of_range",
          message:
            `would mean more replies than contacts: with ${BigDecimal.format(perContact)} emails to each contact it must be at most ` +
            String(Math.floor(1_000_000 / BigDecimal.toNumberUnsafe(perContact)) / 10_000)
        }
      ]
}
