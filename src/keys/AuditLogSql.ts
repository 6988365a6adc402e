import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { all, fromRow, type Row, run, toRow } from "../database/Rows.ts"
import { type AuditEntry, AuditLog } from "./AuditLog.ts"

/** The audit log in the table `audit_log`. */
export const layer = Layer.effect(
  AuditLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return AuditLog.of({
      append: (keyId, actor, action, note) =>
        Effect.flatMap(Clock.currentTimeMillis, (createdAt) =>
          run(sql`INSERT INTO audit_log ${sql.insert(toRow({ keyId, actor, action, createdAt, note }))}`)
        ),
      eraseNotes: (keyId) => run(sql`UPDATE audit_log SET note = NULL WHERE key_id = ${keyId} AND note IS NOT NULL`),
      entries: (keyId) =>
        all(
          sql<Row<AuditEntry>>`
            SELECT key_id, actor, action, created_at, note FROM audit_log WHERE key_id = ${keyId} ORDER BY id`,
          fromRow<AuditEntry>
        )
    })
  })
)
