import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import type { Mail } from "./Mail.ts"

/**
 * Mails that wait to be sent, and what became of the others. A mail is put here in the transaction that causes it; a
 * worker claims it, so that of several workers one sends it, and a claim that was not settled in time is given anew.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Adds a mail, or replaces the one with the same id. */
    readonly put: (mail: Mail) => Effect.Effect<void>
    /** Claims up to `limit` queued mails that are due, counts the attempt, and makes them due again at `until`. */
    readonly claim: (now: number, until: number, limit: number) => Effect.Effect<ReadonlyArray<Mail>>
    readonly find: (id: string) => Effect.Effect<Option.Option<Mail>>
    /** The last mails, newest first, of one state or all. */
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
