import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Ledger } from "../../credits/Ledger.ts"
import { execute, exists, type Expiring, findValue } from "../../database/Statements.ts"
import { Transaction } from "../../database/Transaction.ts"
import { KeyId } from "../../KeyStatus.ts"
import type { ApiKey } from "../../keys/ApiKey.ts"
import { AuditLog } from "../../keys/AuditLog.ts"
import { hashOf } from "../../keys/KeySecrets.ts"
import { newToken } from "../../Randomness.ts"
import { KeyStore } from "../../keys/KeyStore.ts"
import { LinkUnknown } from "../../keys/KeyFailures.ts"
import { Mails } from "../../mail/Mails.ts"
import * as BackgroundJob from "../../observability/BackgroundJob.ts"
import { creditsLow } from "./noticeMessages.ts"
import { dayLength, dayOf } from "../../text/Times.ts"

const week = 7 * dayLength

/** Links work for a year after their email was sent. */
export const expiring: Expiring = {
  table: "unsubscribe_links",
  id: "hash",
  column: "created_at",
  lifetime: 365 * dayLength
}

/** A key whose owner gets notices, or has switched them off. */
interface Subscription {
  readonly key: ApiKey
  readonly isOn: boolean
}

/**
 * The emails that warn the owner of a key when its credits run low or are used up, and the switch for them: the table
 * `unsubscribed_keys` has the keys for which they are off, and `unsubscribe_links` the hashes of the links that switch
 * them off. Times are milliseconds UTC.
 */
export class Notices extends Context.Service<
  Notices,
  {
    /**
     * Queues an email for each due notice, unless notices are switched off, or the key does not work or is the demo
     * key. A notice is taken in the transaction that queues its email, so that it leads to at most one.
     */
    readonly queueDue: Effect.Effect<void>
    readonly isOn: (keyId: KeyId) => Effect.Effect<boolean>
    /** Safe to repeat. */
    readonly set: (keyId: KeyId, isOn: boolean) => Effect.Effect<void>
    /** Creates a new path that switches the notices of a key off, `/unsubscribe/{token}`; earlier ones stay valid. */
    readonly makePath: (keyId: KeyId) => Effect.Effect<Redacted.Redacted>
    /** Finds the subscription of a link, without changing anything. */
    readonly inspect: (token: Redacted.Redacted) => Effect.Effect<Subscription, LinkUnknown>
  }
>()("outreach-forecast/notices/Notices") {
  static readonly layer = Layer.effect(
    Notices,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ledger = yield* Ledger
      const keys = yield* KeyStore
      const mails = yield* Mails
      const audit = yield* AuditLog
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom

      const isOff = (keyId: KeyId) => exists(sql`SELECT key_id FROM unsubscribed_keys WHERE key_id = ${keyId}`)

      /** The credits that a key spent on forecasts in the last seven days, including today. */
      const usedInWeek = Effect.fnUntraced(function* (keyId: KeyId) {
        const before = dayOf((yield* Clock.currentTimeMillis) - week)
        const days = yield* ledger.days(keyId, {})
        return days.reduce((used, { day, requests }) => (day > before ? used + requests : used), 0)
      })

      const queue = Effect.fn("Notices.queue")(function* (keyId: KeyId) {
        // Read before the transaction, so that debits of the key do not conflict with it; they hardly change the pace.
        const used = yield* usedInWeek(keyId)
        yield* transaction.run(
          Effect.gen(function* () {
            const remaining = yield* ledger.takeNotice(keyId)
            const key = yield* keys.findById(keyId)
            if (Option.isNone(remaining) || Option.isNone(key) || (yield* isOff(keyId))) return
            const { isDemo, owner, plan: keyPlan, secretPrefix, state } = key.value
            if (isDemo || keyPlan !== "active" || state !== "usable") return
            const message = creditsLow({ name: owner.name, prefix: secretPrefix, remaining: remaining.value, used })
            yield* mails.enqueue(owner.email, message, { kind: "unsubscribe", id: keyId })
          })
        )
      })

      const set = Effect.fn("Notices.set")(function* (keyId: KeyId, isOn: boolean) {
        const changed = isOn
          ? sql`DELETE FROM unsubscribed_keys WHERE key_id = ${keyId} RETURNING key_id`
          : sql`
            INSERT INTO unsubscribed_keys (key_id, created_at) VALUES (${keyId}, ${yield* Clock.currentTimeMillis})
            ON CONFLICT (key_id) DO NOTHING RETURNING key_id`
        if (yield* exists(changed)) yield* audit.append(keyId, "owner", isOn ? "subscribed" : "unsubscribed")
      }, transaction.run)

      const inspect = Effect.fn("Notices.inspect")(function* (token: Redacted.Redacted) {
        const keyId = yield* findValue(KeyId, sql`SELECT key_id FROM unsubscribe_links WHERE hash = ${hashOf(token)}`)
        const key = Option.isNone(keyId) ? Option.none() : yield* keys.findById(keyId.value)
        if (Option.isNone(key)) return yield* new LinkUnknown()
        return { key: key.value, isOn: !(yield* isOff(key.value.id)) }
      })

      return Notices.of({
        queueDue: Effect.flatMap(ledger.dueNotices, Effect.forEach(queue, { discard: true })),
        isOn: (keyId) => Effect.map(isOff(keyId), (off) => !off),
        set,
        makePath: Effect.fn("Notices.makePath")(function* (keyId: KeyId) {
          const token = yield* newToken(random)
          const link = { hash: hashOf(token), keyId, createdAt: yield* Clock.currentTimeMillis }
          yield* execute(sql`INSERT INTO unsubscribe_links ${sql.insert(link)}`)
          return Redacted.make(`/unsubscribe/${Redacted.value(token)}`)
        }),
        inspect
      })
    })
  ).pipe(Layer.provide(Mails.layer))
}

/** Queues due notices every ten seconds while the scope is open. */
export const queueing = BackgroundJob.layer({
  name: "queue notices",
  run: Effect.flatMap(Notices, ({ queueDue }) => queueDue),
  every: "10 seconds"
})
