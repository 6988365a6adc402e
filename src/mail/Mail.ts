/** The placeholder of the link in a queued mail. The link itself is made when the mail is sent, and is never stored. */
export const linkMark = "\uE000link\uE000"

/** The placeholder of the address of this service in a queued mail. */
export const siteMark = "\uE000site\uE000"

/**
 * What the id of a link begins with that switches off mails such as the one it is in: the mail then has headers by which mail
 * programs offer that as a button of their own (RFC 8058).
 */
export const unsubscribePrefix = "unsubscribe:"

/** Stands in the addresses of people who were erased. It is reserved (RFC 2606): no mail ever leaves for it. */
export const erasedDomain = "erased.invalid"

/** True if an address is the placeholder for an erased person. */
export const isErased = (address: string): boolean => address.endsWith(`@${erasedDomain}`)

/** The error of an attempt that was not answered in time: the mail may or may not have been accepted. */
export const notAnswered = "The mail server did not answer in time"

/** The content of a mail, as text and as HTML; `linkMark` and `siteMark` stand for addresses. */
export interface Message {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A `discarded` mail will never be sent: the operator gave it up, or its recipient was erased. */
export const mailStates = ["queued", "sent", "dead", "discarded"] as const
export type MailState = (typeof mailStates)[number]

/**
 * A mail and the state of its delivery. A `dead` mail was rejected for good or has run out of attempts; the operator can
 * retry it or discard it. Times are in milliseconds UTC.
 */
export interface Mail extends Message {
  readonly id: string
  readonly to: string
  /** The reveal link in it, if any. */
  readonly linkId: string | undefined
  readonly state: MailState
  readonly attempts: number
  readonly nextAttemptAt: number
  readonly lastError: string | undefined
  readonly createdAt: number
  readonly sentAt: number | undefined
}
