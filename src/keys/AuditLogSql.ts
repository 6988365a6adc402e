import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { all, any, fromRow, type Row, run, toRow } from "../database/Rows.ts"
import { type AuditEntry, AuditLog, mergedWithin } from "./AuditLog.ts"

/** The number of the newest entries of a key among which the same one is sought. */
const sought = 50

/** The audit log in the table `audit_log`. */
export const layer = Layer.effect(
  AuditLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Counts one more in the entry of the same change by an owner. Returns false if there is none. */
    const countAgain = ({ action, createdAt, keyId, note }: Omit<AuditEntry, "actor" | "times" | "lastAt">) =>
      any(sql`
        UPDATE audit_log SET times = times + 1, last_at = ${createdAt} WHERE id = (
          SELECT max(id) FROM (SELECT * FROM audit_log WHERE key_id = ${keyId} ORDER BY id DESC LIMIT ${sought}) AS newest
          WHERE actor = 'owner' AND action = ${action} AND note IS NOT DISTINCT FROM ${note ?? null}
            AND created_at > ${createdAt - mergedWithin})
        RETURNING id`)

    return AuditLog.of({
      append: Effect.fnUntraced(function* (keyId, actor, action, note) {
        const entry = { keyId, actor, action, createdAt: yield* Clock.currentTimeMillis, note }
        if (actor === "owner" && (yield* countAgain(entry))) return
        yield* run(sql`INSERT INTO audit_log ${sql.insert(toRow(entry))}`)
      }),
      eraseNotes: (keyId) => run(sql`UPDATE audit_log SET note = NULL WHERE key_id = ${keyId} AND note IS NOT NULL`),
      entries: (keyId, limit) =>
        Effect.map(
          all(
            sql<Row<AuditEntry>>`
              SELECT key_id, actor, action, created_at, times, last_at, note FROM audit_log
              WHERE key_id = ${keyId} ORDER BY id DESC LIMIT ${limit}`,
            fromRow<AuditEntry>
          ),
          (entries) => entries.toReversed()
        )
    })
  })
)
