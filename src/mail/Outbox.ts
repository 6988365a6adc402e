import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import type { Mail } from "./Mail.ts"

/**
 * A transactional outbox: a mail is added in the transaction that causes it, and stays here with the state of its delivery.
 * A worker claims a mail with a lease, so that only one of several workers sends it; after the lease another may.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Adds a mail, or replaces the one with the same id. */
    readonly put: (mail: Mail) => Effect.Effect<void>
    /** Claims up to `limit` queued mails that are due at `now`, counts the attempt, and makes them due again at `until`. */
    readonly claim: (now: number, until: number, limit: number) => Effect.Effect<ReadonlyArray<Mail>>
    readonly find: (id: string) => Effect.Effect<Option.Option<Mail>>
    /** The most recent mails, newest first, in one state or all. */
    readonly list: (state: Mail["state"] | undefined, limit: number) => Effect.Effect<ReadonlyArray<Mail>>
  }
>()("outreach-forecast/mail/Outbox") {
  static readonly layerMemory = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const mails = tables.make<Mail>()
      return Outbox.of({
        put: (mail) => Effect.sync(() => mails.set(mail.id, mail)),
        claim: (now, until, limit) =>
          Effect.sync(() =>
            [...mails.values()]
              .filter(({ nextAttemptAt, state }) => state === "queued" && nextAttemptAt <= now)
              .slice(0, limit)
              .map((mail) => {
                const claimed = { ...mail, attempts: mail.attempts + 1, nextAttemptAt: until }
                mails.set(mail.id, claimed)
                return claimed
              })
          ),
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(mails.get(id))),
        list: (state, limit) =>
          Effect.sync(() =>
            [...mails.values()]
              .filter((mail) => state === undefined || mail.state === state)
              .toReversed()
              .slice(0, limit)
          )
      })
    })
  )
}
