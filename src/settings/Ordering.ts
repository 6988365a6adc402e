import { Option } from "effect"
import type { Contact } from "./Contact.ts"
import type { Sender } from "./MailSettings.ts"

/**
 * Whether credits can be ordered on the pages, and a notice for buyers or the address to write to.
 */
export interface Ordering {
  readonly isOpen: boolean
  readonly notice?: string
  readonly writeTo?: string
}

/** The sender of emails, if somebody reads the replies. */
const readAddress = ({ address }: Sender): string | undefined =>
  /^(?:no-?reply|do-?not-?reply)\b|@localhost/i.test(address) ? undefined : address

/**
 * Ordering on the pages. In production, without a way to pay or a contact to ask about one, an order would lead
 * nowhere; elsewhere it can still be tried.
 */
export const orderingOf = ({
  contact: { paymentInstructions, supportEmail },
  environment,
  mailFrom,
  stripe
}: {
  readonly contact: Contact
  readonly environment: string
  readonly mailFrom: Sender
  readonly stripe: Option.Option<unknown>
}): Ordering => {
  if (Option.isSome(stripe) || Option.isSome(paymentInstructions)) return { isOpen: true }
  if (Option.isSome(supportEmail)) return { isOpen: false, writeTo: supportEmail.value }
  const writeTo = readAddress(mailFrom)
  return environment === "production"
    ? { isOpen: false, ...(writeTo === undefined ? { notice: "Credits are not on sale here yet." } : { writeTo }) }
    : {
        isOpen: true,
        notice:
          "This service is set up for trials and charges nothing: place an order, and its operator adds the credits."
      }
}
