import { Option } from "effect"
import type { Contact } from "./Contact.ts"

/** The state of the sale on the pages: whether credits can be ordered, and a notice for buyers. */
export interface Sale {
  readonly isOpen: boolean
  readonly notice: string | undefined
}

/**
 * The sale on the pages. In production, without a way to pay or a contact to ask about one, an order would lead
 * nowhere; elsewhere it can still be tried.
 */
export const saleOf = ({
  contact: { paymentInstructions, supportEmail },
  environment,
  stripe
}: {
  readonly contact: Contact
  readonly environment: string
  readonly stripe: Option.Option<unknown>
}): Sale => {
  if (Option.isSome(stripe) || Option.isSome(paymentInstructions)) return { isOpen: true, notice: undefined }
  if (Option.isSome(supportEmail)) {
    return { isOpen: false, notice: `To buy credits, write to ${supportEmail.value}.` }
  }
  return environment === "production"
    ? { isOpen: false, notice: "Credits cannot be bought here for now: the operator has not set up a way to pay." }
    : {
        isOpen: true,
        notice:
          "This service is set up for trials and charges nothing: place an order, and its operator adds the credits."
      }
}
