import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { orDefect } from "../database/Failures.ts"
import { KeyId } from "../KeyId.ts"
import { type Actor, type AuditAction, AuditLog } from "./AuditLog.ts"

interface Row {
  readonly key_id: string
  readonly actor: Actor
  readonly action: AuditAction
  readonly created_at: number
  readonly note: string | null
}

/** The audit log in the table `audit_log`. */
export const layer = Layer.effect(
  AuditLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return AuditLog.of({
      append: (keyId, actor, action, note) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          orDefect(
            Effect.asVoid(sql`
              INSERT INTO audit_log (key_id, actor, action, created_at, note)
              VALUES (${keyId}, ${actor}, ${action}, ${now}, ${note ?? null})`)
          )
        ),
      entries: (keyId) =>
        orDefect(
          Effect.map(sql<Row>`SELECT * FROM audit_log WHERE key_id = ${keyId} ORDER BY id`, (rows) =>
            rows.map(({ action, actor, created_at, key_id, note }) => ({
              keyId: KeyId.make(key_id),
              actor,
              action,
              createdAt: created_at,
              note: note ?? undefined
            }))
          )
        )
    })
  })
)
