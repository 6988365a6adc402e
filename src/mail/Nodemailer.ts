import { Effect } from "effect"
import type { Sender } from "../settings/MailSettings.ts"
import type { Letter } from "./Mailer.ts"

/** Loads nodemailer when it is needed: loading it takes a tenth of a start, and most commands send nothing. */
export const loadNodemailer = Effect.promise(() => import("nodemailer"))

/**
 * A letter for nodemailer. `Auto-Submitted` prevents out-of-office replies (RFC 3834). A letter with an unsubscribe
 * link announces it to mail programs, which post to it without opening it (RFC 8058).
 */
export const mailOf = (
  { html, link, messageId, subject, text, to, unsubscribes }: Letter,
  from: Sender,
  replyTo: string | undefined
) => ({
  from,
  ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
  to: { name: "", address: to },
  subject,
  text,
  html,
  messageId: `<${messageId}>`,
  headers: {
    "Auto-Submitted": "auto-generated",
    ...(unsubscribes && { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" })
  }
})
