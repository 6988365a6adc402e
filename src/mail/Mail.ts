import { Schema } from "effect"

/**
 * The placeholder for the link in a queued email. The link itself is created when the email is sent, and is never
 * stored.
 */
export const linkMark = "\uE000link\uE000"

/** The placeholder for the address of this service in a queued email. */
export const siteMark = "\uE000site\uE000"

/**
 * What the link in an email leads to: the page that reveals the secret of a key, by the ID of a reveal link; the page of an
 * order, by its ID; or the page that switches emails like this one off, by the ID of the key. An email with the last has
 * headers that let mail programs offer a button for it (RFC 8058).
 */
export interface MailLink {
  readonly kind: "reveal" | "order" | "unsubscribe"
  readonly id: string
}

/** The domain in the addresses of erased people. It is reserved (RFC 2606): no email can ever be sent to it. */
export const erasedDomain = "erased.invalid"

/** True if an address is the placeholder for an erased person. */
export const isErased = (address: string): boolean => address.endsWith(`@${erasedDomain}`)

/** The error of an attempt without a timely response: the email may or may not have been accepted. */
export const notAnswered = "The mail server did not answer in time"

/** The content of an email, as text and as HTML; `linkMark` and `siteMark` are placeholders for addresses. */
export interface Message {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A `discarded` email will never be sent: the operator gave up on it, or its recipient was erased. */
export const MailState = Schema.Literals(["queued", "sent", "dead", "discarded"])
export type MailState = typeof MailState.Type

/**
 * An email and the state of its delivery. A `dead` email was permanently rejected or has run out of attempts; the
 * operator can retry it or discard it. Times are in milliseconds UTC.
 */
export interface Mail extends Message {
  readonly id: string
  readonly to: string
  /** What the link in it leads to, if it has one. */
  readonly link: MailLink | undefined
  readonly state: MailState
  readonly attempts: number
  readonly nextAttemptAt: number
  readonly lastError: string | undefined
  readonly createdAt: number
  readonly sentAt: number | undefined
}
