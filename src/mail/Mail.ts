import { Schema } from "effect"
import { nullable } from "../database/Statements.ts"

/**
 * The placeholder for the link in a queued email. The link itself is created when the email is sent, and is never
 * stored.
 */
export const linkMark = "\uE000link\uE000"

/** The placeholder for a link to the page of an order, which is created like the link of the email. */
export const orderMark = (orderId: string) => `\uE000order:${orderId}\uE000`

/** The placeholder for the address of this service in a queued email. */
export const siteMark = "\uE000site\uE000"

/**
 * The target of the link in an email: the page that reveals the secret of a key, by the ID of a reveal link; the page
 * of an order, by its ID; or the page that switches emails like this one off, by the ID of the key. An email with the
 * last has headers that let mail programs offer a button for it (RFC 8058).
 */
export const MailLink = Schema.Struct({
  kind: Schema.Literals(["reveal", "order", "unsubscribe"]),
  id: Schema.String
})
export type MailLink = typeof MailLink.Type

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
export const Mail = Schema.Struct({
  id: Schema.String,
  to: Schema.String,
  subject: Schema.String,
  text: Schema.String,
  html: Schema.String,
  /** The target of the link in it, if it has one. */
  link: Schema.UndefinedOr(MailLink),
  state: MailState,
  attempts: Schema.Int,
  nextAttemptAt: Schema.Int,
  lastError: nullable(Schema.String),
  createdAt: Schema.Int,
  sentAt: nullable(Schema.Int)
})
export type Mail = typeof Mail.Type
