import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import { erasedDomain, type Mail, notAnswered } from "./Mail.ts"

/** An email without its content and recipient; if it was not sent, it is discarded. */
const erased = (mail: Mail): Mail => ({
  ...mail,
  ...erasedMail,
  link: undefined,
  lastError: undefined,
  state: mail.state === "sent" ? mail.state : "discarded"
})

/** The placeholder for erased data. */
export const erasedMail = { to: `nobody@${erasedDomain}`, subject: "erased", text: "erased", html: "erased" }

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** The longest wait for the next attempt, in milliseconds: a later time can only come from a clock that was ahead. */
export const longestWait = 3_600_000

/** The numbers of queued and of dead emails, and when the oldest queued one was created, in milliseconds UTC. */
export interface Backlog {
  readonly queued: number
  readonly dead: number
  readonly oldestQueuedAt: number | undefined
}

/**
 * A transactional outbox: an email is added in the transaction that causes it, and stays here with the state of its
 * delivery. A worker claims an email with a lease, so that only one of several workers sends it; after the lease,
 * another may.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Adds an email, or replaces the one with the same ID. */
    readonly put: (mail: Mail) => Effect.Effect<void>
    /**
     * Claims the queued email that has been due longest at `now`, or is due later than the longest wait allows, among
     * those whose last attempt got no response (`hung`) or among the others. Counts the attempt, and makes it due again
     * at `until`.
     */
    readonly claim: (now: number, until: number, hung: boolean) => Effect.Effect<Option.Option<Mail>>
    /**
     * Records the outcome of an attempt to send an email, unless it was erased or deleted in the meantime. A failed
     * attempt counts only while the email is queued and no other worker has claimed it after the lease.
     */
    readonly record: (
      mail: Pick<Mail, "id" | "to" | "state" | "attempts" | "nextAttemptAt" | "lastError" | "sentAt">
    ) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Option.Option<Mail>>
    /** The most recent emails, newest first: in one state or all, to these addresses, ignoring case, or to all. */
    readonly list: (
      state: Mail["state"] | undefined,
      limit: number,
      addresses?: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Mail>>
    /**
     * Removes recipient, subject, text and error from emails to addresses, ignoring case; those that were not sent are
     * discarded. Returns their number.
     */
    readonly erase: (addresses: ReadonlyArray<string>) => Effect.Effect<number>
    /** The emails that are still to be sent, or wait for the operator; costs the same however many were sent. */
    readonly backlog: Effect.Effect<Backlog>
  }
>()("outreach-forecast/mail/Outbox") {
  static readonly layerMemory = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const mails = tables.table<Mail>("mails")
      return Outbox.of({
        put: (mail) => Effect.sync(() => mails.set(mail.id, mail)),
        claim: (now, until, hung) =>
          Effect.sync(() => {
            const [mail] = [...mails.values()]
              .filter(
                ({ lastError, nextAttemptAt, state }) =>
                  state === "queued" &&
                  (nextAttemptAt <= now || nextAttemptAt > now + longestWait) &&
                  (lastError === notAnswered) === hung
              )
              .toSorted((a, b) => a.nextAttemptAt - b.nextAttemptAt)
            if (mail === undefined) return Option.none()
            const claimed = { ...mail, attempts: mail.attempts + 1, nextAttemptAt: until }
            mails.set(mail.id, claimed)
            return Option.some(claimed)
          }),
        record: ({ attempts, id, lastError, nextAttemptAt, sentAt, state, to }) =>
          Effect.sync(() => {
            const mail = mails.get(id)
            const isCurrent = mail?.state === "queued" && mail.attempts === attempts
            if (mail?.to === to && (state === "sent" || isCurrent))
              mails.set(id, { ...mail, state, nextAttemptAt, lastError, sentAt })
          }),
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(mails.get(id))),
        list: (state, limit, addresses) =>
          Effect.sync(() =>
            [...mails.values()]
              .filter((mail) => state === undefined || mail.state === state)
              .filter(({ to }) => addresses === undefined || addresses.some((address) => isSame(address, to)))
              .toReversed()
              .slice(0, limit)
          ),
        erase: (addresses) =>
          Effect.sync(() => {
            const found = [...mails.values()].filter(({ to }) => addresses.some((address) => isSame(address, to)))
            for (const mail of found) mails.set(mail.id, erased(mail))
            return found.length
          }),
        backlog: Effect.sync(() => {
          const all = [...mails.values()]
          const queued = all.filter(({ state }) => state === "queued").map(({ createdAt }) => createdAt)
          return {
            queued: queued.length,
            dead: all.filter(({ state }) => state === "dead").length,
            oldestQueuedAt: queued.length === 0 ? undefined : Math.min(...queued)
          }
        })
      })
    })
  )
}
