import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../database/Dialect.ts"
import { orDefect } from "../database/Failures.ts"
import { type Mail, notAnswered } from "./Mail.ts"
import { erasedMail, longestWait, Outbox } from "./Outbox.ts"

type Row = {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly text_body: string
  readonly html_body: string
  readonly link_id: string | null
  readonly state: Mail["state"]
  readonly attempts: number
  readonly next_attempt_at: number
  readonly last_error: string | null
  readonly created_at: number
  readonly sent_at: number | null
}

const toRow = (mail: Mail): Row => ({
  id: mail.id,
  recipient: mail.to,
  subject: mail.subject,
  text_body: mail.text,
  html_body: mail.html,
  link_id: mail.linkId ?? null,
  state: mail.state,
  attempts: mail.attempts,
  next_attempt_at: mail.nextAttemptAt,
  last_error: mail.lastError ?? null,
  created_at: mail.createdAt,
  sent_at: mail.sentAt ?? null
})

const fromRow = (row: Row): Mail => ({
  id: row.id,
  to: row.recipient,
  subject: row.subject,
  text: row.text_body,
  html: row.html_body,
  linkId: row.link_id ?? undefined,
  state: row.state,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at,
  lastError: row.last_error ?? undefined,
  createdAt: row.created_at,
  sentAt: row.sent_at ?? undefined
})

/** The outbox in the table `mails`. */
export const layer = Layer.effect(
  Outbox,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { forUpdateSkipLocked } = dialectOf(sql)
    const isToOneOf = (addresses: ReadonlyArray<string>) =>
      sql`lower(recipient) IN ${sql.in(addresses.map((address) => address.toLowerCase()))}`
    return Outbox.of({
      put: (mail) =>
        orDefect(
          Effect.asVoid(sql`
            INSERT INTO mails ${sql.insert(toRow(mail))}
            ON CONFLICT (id) DO UPDATE SET
              state = excluded.state, attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at,
              last_error = excluded.last_error, sent_at = excluded.sent_at`)
        ),
      claim: (now, until, hung) =>
        orDefect(
          Effect.map(
            sql<Row>`
              UPDATE mails SET attempts = attempts + 1, next_attempt_at = ${until}
              WHERE id IN (
                SELECT id FROM mails
                WHERE state = 'queued' AND (next_attempt_at <= ${now} OR next_attempt_at > ${now + longestWait}) AND ${
                  hung ? sql`last_error = ${notAnswered}` : sql`(last_error IS NULL OR last_error <> ${notAnswered})`
                }
                ORDER BY next_attempt_at LIMIT 1${forUpdateSkipLocked})
              RETURNING *`,
            ([row]) => Option.map(Option.fromUndefinedOr(row), fromRow)
          )
        ),
      record: ({ attempts, id, lastError = null, nextAttemptAt, sentAt = null, state, to }) =>
        orDefect(
          Effect.asVoid(sql`
            UPDATE mails SET
              state = ${state}, next_attempt_at = ${nextAttemptAt}, last_error = ${lastError}, sent_at = ${sentAt}
            WHERE id = ${id} AND recipient = ${to}${
              state === "sent" ? sql`` : sql` AND state = 'queued' AND attempts = ${attempts}`
            }`)
        ),
      find: (id) =>
        orDefect(
          Effect.map(sql<Row>`SELECT * FROM mails WHERE id = ${id}`, ([row]) =>
            Option.map(Option.fromUndefinedOr(row), fromRow)
          )
        ),
      list: (state, limit, addresses) => {
        if (addresses?.length === 0) return Effect.succeed([])
        const isInState = state === undefined ? sql`` : sql` AND state = ${state}`
        const isTo = addresses === undefined ? sql`` : sql` AND ${isToOneOf(addresses)}`
        return orDefect(
          Effect.map(
            sql<Row>`SELECT * FROM mails WHERE true${isInState}${isTo} ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
            (rows) => rows.map(fromRow)
          )
        )
      },
      erase: (addresses) =>
        orDefect(
          Effect.map(
            sql<Pick<Row, "id">>`
              UPDATE mails SET recipient = ${erasedMail.to}, subject = ${erasedMail.subject}, text_body = ${erasedMail.text},
                html_body = ${erasedMail.html}, link_id = NULL, last_error = NULL,
                state = CASE state WHEN 'sent' THEN state ELSE 'discarded' END
              WHERE ${isToOneOf(addresses)} RETURNING id`,
            (rows) => rows.length
          )
        ),
      oldestQueuedAt: orDefect(
        Effect.map(
          sql<{ readonly at: number | null }>`SELECT min(created_at) AS at FROM mails WHERE state = 'queued'`,
          ([row]) => Option.fromNullishOr(row?.at)
        )
      ),
      countByState: orDefect(
        Effect.map(
          sql<{ readonly state: Mail["state"]; readonly count: number }>`
            SELECT state, count(*) AS count FROM mails GROUP BY state`,
          (rows) => new Map(rows.map(({ count, state }) => [state, count]))
        )
      )
    })
  })
)
