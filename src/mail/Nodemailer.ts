import { Effect } from "effect"
import type { Sender } from "../settings/MailSettings.ts"
import { headersOf, type Letter } from "./Mailer.ts"

/** Loads nodemailer when it is needed: loading it takes a tenth of a start, and most commands send nothing. */
export const loadNodemailer = Effect.promise(() => import("nodemailer"))

/** A letter for nodemailer. */
export const mailOf = (letter: Letter, from: Sender, replyTo: string | undefined) => {
  const { html, messageId, subject, text, to } = letter
  return {
    from,
    ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
    to: { name: "", address: to },
    subject,
    text,
    html,
    messageId: `<${messageId}>`,
    headers: headersOf(letter)
  }
}
