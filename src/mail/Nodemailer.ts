import { Effect } from "effect"
import { readAddress, type Sender } from "../settings/MailSettings.ts"
import { questions } from "./letter.ts"
import { headersOf, type Letter } from "./Mailer.ts"

/** Loads nodemailer when it is needed: loading it takes a tenth of a start, and most commands send nothing. */
export const loadNodemailer = Effect.promise(() => import("nodemailer"))

/** A letter for nodemailer. */
export const mailOf = (letter: Letter, from: Sender, replyTo: string | undefined) => {
  const { html, messageId, subject, text, to } = letter
  const isRead = replyTo !== undefined || readAddress(from) !== undefined
  const asRead = (part: string) => (isRead ? part : part.replace(questions, ""))
  return {
    from,
    ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
    to: { name: "", address: to },
    subject,
    text: asRead(text),
    html: asRead(html),
    messageId: `<${messageId}>`,
    headers: headersOf(letter)
  }
}
