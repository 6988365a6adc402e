import { Clock, Context, Effect, Exit, Fiber, Layer, Option, Redacted, Result, Semaphore } from "effect"
import * as BackgroundJob from "../observability/BackgroundJob.ts"
import { Draining } from "../http/server/Draining.ts"
import { mailsRejected } from "../observability/Telemetry.ts"
import { linkMark, type Mail, type MailLink, notAnswered, orderMark, siteMark } from "./Mail.ts"
import { Mailer, maxReason } from "./Mailer.ts"
import { Outbox } from "./Outbox.ts"

/** The addresses in an email, which are known only when it is sent. */
export class MailUrls extends Context.Service<
  MailUrls,
  {
    /** The address of this service, without a trailing slash. */
    readonly site: string
    /** Creates a new URL, with a secret of its own that is stored only as a hash; earlier ones stay valid. */
    readonly make: (link: MailLink) => Effect.Effect<Redacted.Redacted>
  }
>()("outreach-forecast/mail/MailUrls") {}

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
const maxAttempts = 10
const patience = "1 second"

/** The time that the service waits for attempts in progress before it stops, while it refuses requests. */
const lastPatience = "2 seconds"

/**
 * The most attempts in progress to send emails whose last attempt got no response. Few, because while the mail server
 * does not respond at all, each email that is tried a second time dies.
 */
const maxUnanswered = 3

/** After this many attempts, about two days, an email is dead. */
const maximumAttempts = 100

/** The pause after an attempt, in milliseconds: 15 seconds, doubled each time, up to half an hour. */
const pauseAfter = (attempts: number) => Math.min(15_000 * 2 ** (attempts - 1), 30 * minute)

/** Every `orderMark` in a text, with the ID of its order. */
const orderMarks = /\uE000order:(\w+)\uE000/g

/** Sends a claimed mail and records the result. */
const deliver = Effect.fn("MailWorker.deliver")(function* (mail: Mail) {
  const outbox = yield* Outbox
  const mailer = yield* Mailer
  const links = yield* MailUrls
  const timeout = timeoutOf(mail)
  const make = (link: MailLink) => Effect.map(links.make(link), Redacted.value)
  const link = mail.link === undefined ? "" : yield* make(mail.link)
  const orders = new Set([...mail.text.matchAll(orderMarks)].map(([, id = ""]) => id))
  const pages = yield* Effect.forEach(orders, (id) =>
    Effect.map(make({ kind: "order", id }), (url) => [orderMark(id), url] as const)
  )
  const addresses = [[linkMark, link], ...pages, [siteMark, links.site]] as const
  const filled = (part: string) => addresses.reduce((text, [mark, address]) => text.replaceAll(mark, address), part)
  const attempt = yield* mailer
    .send({
      messageId: `${mail.id}@outreach-forecast`,
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
  const secrets = [link, ...pages.map(([, url]) => url)].filter((url) => url !== "")
  const reason = secrets
    .reduce((text, url) => text.replaceAll(url, "(the link)"), attempt.failure.reason)
    .slice(0, maxReason)
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

/** Claims the next email that is due, if any. */
const claimNext = Effect.fnUntraced(function* (unanswered: boolean) {
  const outbox = yield* Outbox
  const now = yield* Clock.currentTimeMillis
  return yield* outbox.claim(now, now + lease, unanswered)
})

/** Sends the next email that is due, if any, and waits for the result. Returns the number of emails tried: 0 or 1. */
export const deliverDue = Effect.flatMap(
  claimNext(true),
  Option.match({ onNone: () => Effect.succeed(0), onSome: (mail) => Effect.as(deliver(mail), 1) })
)

/**
 * Sends emails until the service refuses requests; for two seconds more, an attempt in progress counts as a request in
 * flight, so that no email is sent again because a restart came before its response. Emails whose last attempt got no
 * response do not delay the others.
 */
export const layer = Layer.unwrap(
  Effect.map(Draining, (draining) => {
    const name = "send mails"
    const guard = BackgroundJob.makeGuard(name)
    const working = Semaphore.makeUnsafe(maxAttempts)
    let unanswered = 0

    const attempt = (mail: Mail) =>
      Effect.suspend(() => {
        if (mail.lastError !== notAnswered) return guard(deliver(mail))
        unanswered++
        return Effect.ensuring(
          guard(deliver(mail)),
          Effect.sync(() => unanswered--)
        )
      })

    /** Starts the next attempt as soon as one is allowed. Returns true if there was one. */
    const startNext = Effect.gen(function* () {
      yield* working.take(1)
      if (draining.isRefusing()) return yield* Effect.as(working.release(1), false)
      const leave = draining.enter()
      const claimed = yield* Effect.onExit(claimNext(unanswered < maxUnanswered), (exit) => {
        if (Exit.isSuccess(exit) && Option.isSome(exit.value)) return Effect.void
        leave()
        return working.release(1)
      })
      if (Option.isNone(claimed)) return false
      const running = yield* Effect.forkScoped(attempt(claimed.value), { startImmediately: true })
      const endOfPatience = Effect.andThen(draining.refusing, Effect.sleep(lastPatience))
      yield* Effect.forkScoped(
        Effect.raceFirst(Fiber.await(running), endOfPatience).pipe(Effect.ensuring(Effect.sync(leave)))
      )
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
  })
)
