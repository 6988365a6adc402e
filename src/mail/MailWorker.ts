import { Clock, Context, Effect, Exit, Fiber, Layer, Option, Redacted, Result, Semaphore } from "effect"
import * as BackgroundJob from "../observability/BackgroundJob.ts"
import { mailsRejected } from "../observability/Metrics.ts"
import { linkMark, type Mail, type MailLink, notAnswered, siteMark } from "./Mail.ts"
import { Mailer } from "./Mailer.ts"
import { Outbox } from "./Outbox.ts"

/** The addresses in an email, which are known only when it is sent. */
export class Links extends Context.Service<
  Links,
  {
    /** The address of this service, without a trailing slash. */
    readonly site: string
    /** Creates a new URL, with a secret of its own that is stored only as a hash; earlier ones stay valid. */
    readonly make: (link: MailLink) => Effect.Effect<Redacted.Redacted>
  }
>()("outreach-forecast/mail/Links") {}

const minute = 60_000

/**
 * The timeout of an attempt: RFC 5321, section 4.5.3.2.6, gives a server ten minutes to respond to a message. An email
 * gets that long if it has timed out before: the first attempts of many others may be waiting. The lease of a claimed
 * email is a little longer; after it, another worker may try.
 */
const timeoutOf = ({ lastError }: Mail) => (lastError === notAnswered ? 10 : 1) * minute
const lease = 12 * minute

/** An address in the reply of a server, in any spelling. */
const address = /[^\s<>"'()[\],;:]+@[^\s<>"'()[\],;:]+/g

/**
 * The most attempts in progress, and the time without a response after which an attempt counts as waiting and the next
 * one starts: at most 600 wait for their timeout.
 */
const first = { most: 10, patience: "1 second" } as const

/**
 * The same for emails whose last attempt got no response. Few, because while the mail server does not respond at all,
 * each email that is tried a second time dies.
 */
const again = { most: 3, patience: "10 minutes" } as const

/** After this many attempts, about two days, an email is dead. */
const maximumAttempts = 100

/** The pause after an attempt, in milliseconds: 15 seconds, doubled each time, up to half an hour. */
const pauseAfter = (attempts: number) => Math.min(15_000 * 2 ** (attempts - 1), 30 * minute)

/** The Message-ID is the same at each attempt, so that the receiver can detect duplicates. */
const messageIdOf = ({ id }: Mail) => `${id}@outreach-forecast`

/** Sends a claimed mail and records the result. */
const deliver = Effect.fn("MailWorker.deliver")(function* (mail: Mail) {
  const outbox = yield* Outbox
  const mailer = yield* Mailer
  const links = yield* Links
  const timeout = timeoutOf(mail)
  const link = mail.link === undefined ? "" : Redacted.value(yield* links.make(mail.link))
  const filled = (part: string) => part.replaceAll(linkMark, link).replaceAll(siteMark, links.site)
  const attempt = yield* mailer
    .send({
      messageId: messageIdOf(mail),
      to: mail.to,
      link,
      unsubscribes: mail.link?.kind === "unsubscribe",
      subject: mail.subject,
      text: filled(mail.text),
      html: filled(mail.html),
      timeout
    })
    .pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        // After a second timeout, the receiver may have it twice; there is no third attempt.
        orElse: () => Effect.fail({ reason: notAnswered, isPermanent: mail.lastError === notAnswered })
      }),
      Effect.result
    )
  const now = yield* Clock.currentTimeMillis
  if (Result.isSuccess(attempt))
    return yield* outbox.record({ ...mail, state: "sent", sentAt: now, lastError: undefined })
  const { isPermanent } = attempt.failure
  // Some servers quote the rejected message.
  const reason = link === "" ? attempt.failure.reason : attempt.failure.reason.replaceAll(link, "(the link)")
  const isDead = isPermanent || mail.attempts >= maximumAttempts
  yield* outbox.record({
    ...mail,
    state: isDead ? "dead" : "queued",
    nextAttemptAt: now + pauseAfter(mail.attempts),
    lastError: reason
  })
  if (isDead) mailsRejected(1)
  yield* Effect.annotateLogs(isDead ? Effect.logError("mail dead") : Effect.logWarning("mail deferred"), {
    mail: mail.id,
    attempts: mail.attempts,
    // Erasure does not search the log, so it must not contain personal data.
    reason: reason.replaceAll(address, "(an address)")
  })
})

/**
 * Claims the email that has been due longest, if any, and returns the attempt to send it. `hung` selects emails whose
 * last attempt got no response.
 */
const nextAttempt = Effect.fnUntraced(function* (hung: boolean) {
  const outbox = yield* Outbox
  const now = yield* Clock.currentTimeMillis
  return Option.map(yield* outbox.claim(now, now + lease, hung), deliver)
})

/**
 * Sends the email that has been due longest, if any, and waits for the result. Returns the number of emails tried: 0 or
 * 1.
 */
export const deliverDue = Effect.gen(function* () {
  for (const hung of [false, true]) {
    const attempt = yield* nextAttempt(hung)
    if (Option.isNone(attempt)) continue
    yield* attempt.value
    return 1
  }
  return 0
})

/** Sends due emails, or those of them whose last attempt got no response, while the scope is open. */
const sendMails = (hung: boolean, { most, patience }: typeof first | typeof again) => {
  const name = hung ? "send unanswered mails" : "send mails"
  const guard = BackgroundJob.makeGuard(name)
  const working = Semaphore.makeUnsafe(most)

  /** Starts the next attempt as soon as one is allowed. Returns true if there was one. */
  const startNext = Effect.gen(function* () {
    yield* working.take(1)
    const attempt = yield* Effect.onExit(nextAttempt(hung), (exit) =>
      Exit.isSuccess(exit) && Option.isSome(exit.value) ? Effect.void : working.release(1)
    )
    if (Option.isNone(attempt)) return false
    const running = yield* Effect.forkScoped(guard(attempt.value))
    yield* Effect.forkScoped(
      Fiber.await(running).pipe(Effect.timeoutOption(patience), Effect.ensuring(working.release(1)))
    )
    return true
  })

  return BackgroundJob.layer({
    name,
    run: Effect.repeat(startNext, { while: (isStarted) => isStarted }),
    every: "1 second"
  })
}

/** Sends emails while the scope is open. Those whose last attempt got no response do not delay the others. */
export const layer = Layer.suspend(() => Layer.merge(sendMails(false, first), sendMails(true, again)))
