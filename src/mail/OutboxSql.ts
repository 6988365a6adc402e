import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../database/Dialect.ts"
import { orDefect } from "../database/Failures.ts"
import { all, first, fromRow, type Row, run, toRow } from "../database/Rows.ts"
import { type Mail, type MailLink, notAnswered } from "./Mail.ts"
import { erasedMail, longestWait, Outbox } from "./Outbox.ts"

/** A mail as `mails` has it: its link has two columns, and its recipient and its bodies have other names. */
type MailRow = Row<Omit<Mail, "link" | "to" | "text" | "html">> & {
  readonly linkKind: MailLink["kind"] | null
  readonly linkId: string | null
  readonly recipient: string
  readonly textBody: string
  readonly htmlBody: string
}

const toMailRow = ({ html, link, text, to, ...mail }: Mail): MailRow => ({
  ...toRow(mail),
  linkKind: link?.kind ?? null,
  linkId: link?.id ?? null,
  recipient: to,
  textBody: text,
  htmlBody: html
})

const fromMailRow = ({ htmlBody, linkId, linkKind, recipient, textBody, ...mail }: MailRow): Mail => ({
  ...fromRow<Omit<Mail, "link" | "to" | "text" | "html">>(mail),
  link: linkKind === null || linkId === null ? undefined : { kind: linkKind, id: linkId },
  to: recipient,
  text: textBody,
  html: htmlBody
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
        run(sql`
          INSERT INTO mails ${sql.insert(toMailRow(mail))}
          ON CONFLICT (id) DO UPDATE SET
            state = excluded.state, attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at,
            last_error = excluded.last_error, sent_at = excluded.sent_at`),
      claim: (now, until, hung) =>
        first(
          sql<MailRow>`
            UPDATE mails SET attempts = attempts + 1, next_attempt_at = ${until}
            WHERE id IN (
              SELECT id FROM mails
              WHERE state = 'queued' AND (next_attempt_at <= ${now} OR next_attempt_at > ${now + longestWait}) AND ${
                hung ? sql`last_error = ${notAnswered}` : sql`(last_error IS NULL OR last_error <> ${notAnswered})`
              }
              ORDER BY next_attempt_at LIMIT 1${forUpdateSkipLocked})
            RETURNING *`,
          fromMailRow
        ),
      record: ({ attempts, id, lastError, nextAttemptAt, sentAt, state, to }) =>
        run(sql`
          UPDATE mails SET ${sql.update(toRow({ state, nextAttemptAt, lastError, sentAt }))}
          WHERE id = ${id} AND recipient = ${to}${
            state === "sent" ? sql`` : sql` AND state = 'queued' AND attempts = ${attempts}`
          }`),
      find: (id) => first(sql<MailRow>`SELECT * FROM mails WHERE id = ${id}`, fromMailRow),
      list: (state, limit, addresses) => {
        if (addresses?.length === 0) return Effect.succeed([])
        const isInState = state === undefined ? sql`` : sql` AND state = ${state}`
        const isTo = addresses === undefined ? sql`` : sql` AND ${isToOneOf(addresses)}`
        return all(
          sql<MailRow>`SELECT * FROM mails WHERE true${isInState}${isTo} ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
          fromMailRow
        )
      },
      erase: (addresses) =>
        orDefect(
          Effect.map(
            sql`
              UPDATE mails SET recipient = ${erasedMail.to}, subject = ${erasedMail.subject}, text_body = ${erasedMail.text},
                html_body = ${erasedMail.html}, link_kind = NULL, link_id = NULL, last_error = NULL,
                state = CASE state WHEN 'sent' THEN state ELSE 'discarded' END
              WHERE ${isToOneOf(addresses)} RETURNING id`,
            (rows) => rows.length
          )
        ),
      backlog: orDefect(
        Effect.map(
          sql<{ readonly state: "queued" | "dead"; readonly count: number; readonly oldestAt: number }>`
            SELECT state, count(*) AS count, min(created_at) AS oldest_at
            FROM mails WHERE state IN ('queued', 'dead') GROUP BY state`,
          (rows) => {
            const [queued, dead] = ["queued", "dead"].map((state) => rows.find((row) => row.state === state))
            return { queued: queued?.count ?? 0, dead: dead?.count ?? 0, oldestQueuedAt: queued?.oldestAt }
          }
        )
      )
    })
  })
)
