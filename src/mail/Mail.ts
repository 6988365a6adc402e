/** Stands for the link in a mail that is waiting: the link itself is made when the mail is sent, and stored nowhere. */
export const linkMark = "\uE000link\uE000"

/** What a message says, in both its parts; `linkMark` stands where its link will be. */
export interface Message {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * A mail and what became of it. `dead` is one that cannot be delivered, or could not in its time; the operator may send
 * it again. Times are milliseconds UTC.
 */
export interface Mail extends Message {
  readonly id: string
  readonly to: string
  /** The reveal link that it carries, if any. */
  readonly linkId: string | undefined
  readonly state: "queued" | "sent" | "dead"
  readonly attempts: number
  readonly nextAttemptAt: number
  readonly lastError: string | undefined
  readonly createdAt: number
  readonly sentAt: number | undefined
}
