import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { KeyId } from "../KeyStatus.ts"
import { execute, exists, findAll, nullable, toRow } from "../database/Statements.ts"

/** The author of a change: the operator on the command line, the key's owner, or the service itself. */
export const Actor = Schema.Literals(["operator", "owner", "service"])
export type Actor = typeof Actor.Type

/** The actions on a key. */
export const AuditAction = Schema.Literals([
  "access_requested",
  "replacement_requested",
  "issued",
  "revealed",
  "first_used",
  "rotated",
  "revoked",
  "sub_key_created",
  "sub_key_changed",
  "sub_key_rotated",
  "sub_key_revoked",
  "activated",
  "deactivated",
  "prepared",
  "credits_granted",
  "credits_adjusted",
  "credits_bought",
  "credits_refunded",
  "unsubscribed",
  "subscribed",
  "erased"
])
export type AuditAction = typeof AuditAction.Type

/** A change of a key's state, or of its credits by an operator. Times are milliseconds UTC. */
export const AuditEntry = Schema.Struct({
  keyId: KeyId,
  actor: Actor,
  action: AuditAction,
  createdAt: Schema.Int,
  /** The number of times that it was made within an hour, and the last time if that is more than once. */
  times: Schema.Int,
  lastAt: nullable(Schema.Int),
  /** Details, such as the change of credits and its reason. */
  note: nullable(Schema.String)
})
export type AuditEntry = typeof AuditEntry.Type

/** The time in which the same change by an owner is counted in one entry, in milliseconds. */
const mergedWithin = 60 * 60_000

/** The number of the newest entries of a key among which the same one is sought. */
const sought = 50

/**
 * The log of these changes; an entry is written in the transaction of its change. An owner can repeat a change at no
 * cost, so the same one within an hour is counted in its first entry, if that is among the newest 50 of the key.
 */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly append: (keyId: KeyId, actor: Actor, action: AuditAction, note?: string) => Effect.Effect<void>
    /** Removes the notes from the entries of a key whose owner was erased: an operator may have named them there. */
    readonly eraseNotes: (keyId: KeyId) => Effect.Effect<void>
    /** The newest entries of a key, the oldest of them first. */
    readonly entries: (keyId: KeyId, limit: number) => Effect.Effect<ReadonlyArray<AuditEntry>>
  }
>()("outreach-forecast/keys/AuditLog") {
  /** The audit log in the table `audit_log`. */
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** Counts one more in the entry of the same change by an owner. Returns false if there is none. */
      const countAgain = ({ action, createdAt, keyId, note }: Omit<AuditEntry, "actor" | "times" | "lastAt">) =>
        exists(sql`
          UPDATE audit_log SET times = times + 1, last_at = ${createdAt} WHERE id = (
            SELECT max(id) FROM (SELECT * FROM audit_log WHERE key_id = ${keyId} ORDER BY id DESC LIMIT ${sought}) AS newest
            WHERE actor = 'owner' AND action = ${action} AND note IS NOT DISTINCT FROM ${note ?? null}
              AND created_at > ${createdAt - mergedWithin})
          RETURNING id`)

      return AuditLog.of({
        append: Effect.fnUntraced(function* (keyId, actor, action, note) {
          const entry = { keyId, actor, action, createdAt: yield* Clock.currentTimeMillis, note }
          if (actor === "owner" && (yield* countAgain(entry))) return
          yield* execute(sql`INSERT INTO audit_log ${sql.insert(toRow(entry))}`)
        }),
        eraseNotes: (keyId) =>
          execute(sql`UPDATE audit_log SET note = NULL WHERE key_id = ${keyId} AND note IS NOT NULL`),
        entries: (keyId, limit) =>
          Effect.map(
            findAll(AuditEntry, sql`SELECT * FROM audit_log WHERE key_id = ${keyId} ORDER BY id DESC LIMIT ${limit}`),
            (entries) => entries.toReversed()
          )
      })
    })
  )
}
