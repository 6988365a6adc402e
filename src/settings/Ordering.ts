import { Option } from "effect"
import type { Contact } from "./Contact.ts"
import type { Sender } from "./MailSettings.ts"

/** The settings that decide how credits are paid. */
export interface PaymentSettings {
  readonly contact: Contact
  readonly environment: string
  readonly mailFrom: Sender
  readonly stripe: Option.Option<unknown>
}

/** Whether credits can be ordered on the pages. If there is no way to pay, a notice for buyers or the address to write to. */
export interface Ordering {
  readonly isOpen: boolean
  readonly notice?: string
  readonly writeTo?: string
  /** The page with the terms and how refunds work. */
  readonly termsUrl?: string
}

/** True if credits can be ordered although there is no way to pay: nothing is charged. */
export const isTrial = ({ isOpen, notice }: Ordering): boolean => isOpen && notice !== undefined

/** The sender of emails, if somebody reads the replies. */
const readAddress = ({ address }: Sender): string | undefined =>
  /^(?:no-?reply|do-?not-?reply)\b|@localhost/i.test(address) ? undefined : address

/**
 * Ordering on the pages. In production, without a way to pay or a contact to ask about one, an order would lead
 * nowhere; elsewhere it can still be tried.
 */
export const orderingOf = ({ contact, environment, mailFrom, stripe }: PaymentSettings): Ordering => {
  const { paymentInstructions, supportEmail } = contact
  const terms = Option.match(contact.termsUrl, { onNone: () => ({}), onSome: (termsUrl) => ({ termsUrl }) })
  if (Option.isSome(stripe) || Option.isSome(paymentInstructions)) return { isOpen: true, ...terms }
  if (Option.isSome(supportEmail)) return { isOpen: false, writeTo: supportEmail.value, ...terms }
  if (environment !== "production") {
    return {
      isOpen: true,
      notice: "This service is a trial: nothing is charged, and its operator adds the credits.",
      ...terms
    }
  }
  const writeTo = readAddress(mailFrom)
  return {
    isOpen: false,
    ...(writeTo === undefined ? { notice: "Credits are not on sale here yet." } : { writeTo }),
    ...terms
  }
}
