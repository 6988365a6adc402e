import { Effect, Layer, Predicate, type Redacted } from "effect"
import type { Sender } from "../settings/MailSettings.ts"
import { Mailer, NotDelivered } from "./Mailer.ts"
import { loadNodemailer, mailOf } from "./Nodemailer.ts"
import { connectionTo, reasonFrom } from "./SmtpServer.ts"

/**
 * Sends by SMTP; replies go to `replyTo`. The failure contains the server's reply, without a quoted password and
 * without any content of the letter.
 */
export const layer = (url: Redacted.Redacted, from: Sender, replyTo?: string) =>
  Layer.effect(
    Mailer,
    Effect.map(loadNodemailer, ({ createTransport }) => {
      const transportFor = (timeout: number) =>
        createTransport({
          ...connectionTo(url),
          // Longer than that of the attempt, so that the worker knows which emails got no reply.
          socketTimeout: timeout + 30_000
        })
      const reasonOf = reasonFrom(url)
      return Mailer.of({
        send: Effect.fn("Mailer.send")((letter) => {
          const transport = transportFor(letter.timeout)
          return Effect.asVoid(
            Effect.tryPromise({
              try: () => transport.sendMail(mailOf(letter, from, replyTo)).finally(() => transport.close()),
              catch: (error) => new NotDelivered({ reason: reasonOf(error), isPermanent: isPermanent(error) })
            })
          )
        })
      })
    })
  )

/**
 * A 5xx for the recipient or the message is permanent; one for the connection, the login or the sender can be fixed by
 * the operator.
 */
const isPermanent = (error: unknown): boolean => {
  const code = Predicate.hasProperty(error, "code") ? error.code : undefined
  const command = Predicate.hasProperty(error, "command") ? error.command : undefined
  const answer = Predicate.hasProperty(error, "responseCode") ? error.responseCode : undefined
  return (
    (code === "EENVELOPE" || code === "EMESSAGE") &&
    command !== "MAIL FROM" &&
    (typeof answer !== "number" || answer >= 500)
  )
}
