import { Clock, Effect, Redacted, Result } from "effect"
import * as BackgroundJob from "../BackgroundJob.ts"
import { Links } from "./Links.ts"
import { linkMark, type Mail } from "./Mail.ts"
import { Mailer } from "./Mailer.ts"
import { Outbox } from "./Outbox.ts"

const minute = 60_000

/**
 * The timeout of an attempt: RFC 5321, section 4.5.3.2.6, gives a server ten minutes to respond to a message. The lease
 * of a claimed mail is a little longer; once it has expired, another worker may try.
 */
const attemptTimeout = "10 minutes"
const lease = 12 * minute

/** The error of a mail that may or may not have been accepted. */
const notAnswered = "The mail server did not answer in time"

/** An address in the reply of a server, in whatever spelling the server has it. */
const address = /[^\s<>"'()[\],;:]+@[^\s<>"'()[\],;:]+/g

/** How many mails are sent concurrently, so that one that hangs does not delay the others. */
const workers = 3

/** After this many attempts, about two days, a mail is dead. */
const maximumAttempts = 100

/** The pause after an attempt, in milliseconds: 15 seconds, doubled each time, up to half an hour. */
const pauseAfter = (attempts: number) => Math.min(15_000 * 2 ** (attempts - 1), 30 * minute)

/** The Message-ID is the same at each attempt, so that the receiver can detect duplicates. */
const messageIdOf = ({ id }: Mail) => `${id}@outreach-forecast`

/** Sends the mail that has been due longest, if any, and records the result. Returns the number of mails tried: 0 or 1. */
export const deliverDue = Effect.gen(function* () {
  const outbox = yield* Outbox
  const mailer = yield* Mailer
  const links = yield* Links

  const deliver = Effect.fn("MailWorker.deliver")(function* (mail: Mail) {
    const link = mail.linkId === undefined ? "" : Redacted.value(yield* links.make(mail.linkId))
    const attempt = yield* mailer
      .send({
        messageId: messageIdOf(mail),
        to: mail.to,
        link,
        subject: mail.subject,
        text: mail.text.replaceAll(linkMark, link),
        html: mail.html.replaceAll(linkMark, link)
      })
      .pipe(
        Effect.timeoutOrElse({
          duration: attemptTimeout,
          // After a second timeout the receiver may have it twice; a third attempt is not made.
          orElse: () => Effect.fail({ reason: notAnswered, isPermanent: mail.lastError === notAnswered })
        }),
        Effect.result
      )
    const now = yield* Clock.currentTimeMillis
    if (Result.isSuccess(attempt))
      return yield* outbox.record({ ...mail, state: "sent", sentAt: now, lastError: undefined })
    const { isPermanent } = attempt.failure
    // Some servers quote what they reject.
    const reason = link === "" ? attempt.failure.reason : attempt.failure.reason.replaceAll(link, "(the link)")
    const isDead = isPermanent || mail.attempts >= maximumAttempts
    yield* outbox.record({
      ...mail,
      state: isDead ? "dead" : "queued",
      nextAttemptAt: now + pauseAfter(mail.attempts),
      lastError: reason
    })
    yield* Effect.annotateLogs(isDead ? Effect.logError("mail dead") : Effect.logWarning("mail deferred"), {
      mail: mail.id,
      attempts: mail.attempts,
      // Logs are kept where nobody looks for the data of people.
      reason: reason.replaceAll(address, "(an address)")
    })
  })

  const now = yield* Clock.currentTimeMillis
  const due = yield* outbox.claim(now, now + lease, 1)
  yield* Effect.forEach(due, deliver, { discard: true })
  return due.length
})

/** Sends the mails that are due, looking for them each second while the scope is open. */
export const layer = BackgroundJob.layer({
  name: "send mails",
  run: Effect.repeat(deliverDue, { while: (tried) => tried > 0 }),
  every: "1 second",
  workers
})
