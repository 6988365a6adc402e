import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { orDefect } from "../database/Database.ts"
import { AnswerStore } from "./AnswerStore.ts"

/** How many answers are looked at in one purge: it must not hold up requests. */
const purgedAtOnce = 500

interface Row {
  readonly position: number
  readonly fingerprint: string
  readonly answer: string
  readonly created_at: number
}

/** Answers in the table `idempotent_answers`. */
export const layer = Layer.effect(
  AnswerStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return AnswerStore.of({
      find: (requests, since) => {
        if (requests.length === 0) return Effect.succeed([])
        const asked = JSON.stringify(requests.map(({ key, operation, scope }) => [scope, operation, key]))
        return orDefect(
          Effect.map(
            sql<Row>`
              SELECT asked.key AS position, a.fingerprint, a.answer, a.created_at
              FROM json_each(${asked}) asked JOIN idempotent_answers a
                ON a.scope = asked.value ->> 0 AND a.operation = asked.value ->> 1 AND a.idempotency_key = asked.value ->> 2
              WHERE a.created_at > ${since}`,
            (rows) => {
              const found = new Map(rows.map((row) => [row.position, row]))
              return requests.map((request, i) => {
                const row = found.get(i)
                return (
                  row && { ...request, fingerprint: row.fingerprint, answer: row.answer, createdAt: row.created_at }
                )
              })
            }
          )
        )
      },
      put: (answers) => {
        if (answers.length === 0) return Effect.void
        const rows = JSON.stringify(
          answers.map(({ answer, createdAt, fingerprint, key, operation, scope }) => [
            scope,
            operation,
            key,
            fingerprint,
            answer,
            createdAt
          ])
        )
        return orDefect(
          Effect.asVoid(sql`
            INSERT OR REPLACE INTO idempotent_answers
              (scope, operation, idempotency_key, fingerprint, answer, created_at)
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
            FROM json_each(${rows})`)
        )
      },
      // Ids grow with time, so the oldest answers are those with the smallest.
      purge: (since) =>
        orDefect(
          Effect.map(
            sql`
              DELETE FROM idempotent_answers WHERE created_at <= ${since} AND id IN
                (SELECT id FROM idempotent_answers ORDER BY id LIMIT ${purgedAtOnce})
              RETURNING id`,
            (rows) => rows.length
          )
        )
    })
  })
)
