import { BigDecimal } from "effect"
import { compare, quotient, roundDown, show, showExact, times } from "../forecast/Decimal.ts"
import type { FieldError } from "../input/InvalidInput.ts"
import type { Campaign } from "../forecast/outlook/Campaign.ts"

const hundred = BigDecimal.make(100n, 0)

/** More replies than contacts: not an optimistic rate but an impossible one. */
export const checkContacts = ({
  emails_per_contact: perContact,
  reply_rate
}: Pick<Campaign, "emails_per_contact" | "reply_rate">): ReadonlyArray<FieldError> =>
  perContact === undefined || compare(times(reply_rate, perContact), hundred) <= 0
    ? []
    : [
        {
          pointer: "/reply_rate",
          code: "out_of_range",
          message:
            `makes more replies than contacts: with ${showExact(perContact)} emails to each contact it must be at most ` +
            show(roundDown(BigDecimal.make(quotient(hundred, perContact, 6).units, 6), 4))
        }
      ]
