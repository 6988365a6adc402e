import { Context, Effect, Layer, type Option, Schema, SchemaTransformation, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { dialectOf, execute, findAll, findFirst, toRow } from "../database/Statements.ts"
import { orDefect } from "../database/Failures.ts"
import { erasedDomain, Mail, MailLink, notAnswered } from "./Mail.ts"

/** The placeholder for erased data. */
export const erasedMail = { to: `nobody@${erasedDomain}`, subject: "erased", text: "erased", html: "erased" }

/** The longest wait for the next attempt, in milliseconds: a later time can only come from a clock that was ahead. */
const longestWait = 3_600_000

/** A mail as `mails` has it: its link has two columns, and its recipient and its bodies have other names. */
const MailRow = Schema.Struct({
  ...Struct.omit(Mail.fields, ["link", "to", "text", "html"]),
  linkKind: Schema.NullOr(MailLink.fields.kind),
  linkId: Schema.NullOr(Schema.String),
  recipient: Schema.String,
  textBody: Schema.String,
  htmlBody: Schema.String
}).pipe(
  Schema.decodeTo(
    Schema.toType(Mail),
    SchemaTransformation.transform({
      decode: ({ htmlBody: html, linkId: id, linkKind: kind, recipient: to, textBody: text, ...mail }) => ({
        ...mail,
        to,
        text,
        html,
        link: kind === null || id === null ? undefined : { kind, id }
      }),
      encode: ({ html: htmlBody, link, text: textBody, to: recipient, ...mail }) => ({
        ...mail,
        recipient,
        textBody,
        htmlBody,
        linkKind: link?.kind ?? null,
        linkId: link?.id ?? null
      })
    })
  )
)

const toMailRow = Schema.encodeSync(MailRow)

/** The emails in a state that are still to be sent. */
const BacklogRow = Schema.Struct({
  state: Schema.Literals(["queued", "dead"]),
  count: Schema.Int,
  oldestAt: Schema.Int
})

/** The numbers of queued and of dead emails, and when the oldest queued one was created, in milliseconds UTC. */
export interface Backlog {
  readonly queued: number
  readonly dead: number
  readonly oldestQueuedAt: number | undefined
}

/**
 * A transactional outbox, in the table `mails`: an email is added in the transaction that causes it, and stays here
 * with the state of its delivery. A worker claims an email with a lease, so that only one of several workers sends it;
 * after the lease, another may.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Adds an email, or replaces the one with the same ID. */
    readonly put: (mail: Mail) => Effect.Effect<void>
    /**
     * Claims the queued email that has been due longest at `now`, or is due later than the longest wait allows. Those
     * whose last attempt got no response come after all others, and only with `unanswered`. Counts the attempt, and
     * makes it due again at `until`.
     */
    readonly claim: (now: number, until: number, unanswered: boolean) => Effect.Effect<Option.Option<Mail>>
    /**
     * Records the outcome of an attempt to send an email, unless it was erased or deleted in the meantime. A failed
     * attempt counts only while the email is queued and no other worker has claimed it after the lease.
     */
    readonly record: (
      mail: Pick<Mail, "id" | "to" | "state" | "attempts" | "nextAttemptAt" | "lastError" | "sentAt">
    ) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Option.Option<Mail>>
    /** The most recent emails, newest first: in one state or all, to these addresses, ignoring case, or to all. */
    readonly list: (
      state: Mail["state"] | undefined,
      limit: number,
      addresses?: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Mail>>
    /**
     * Removes recipient, subject, text and error from emails to addresses, ignoring case; those that were not sent are
     * discarded. Returns their number.
     */
    readonly erase: (addresses: ReadonlyArray<string>) => Effect.Effect<number>
    /** The emails that are still to be sent, or wait for the operator; costs the same however many were sent. */
    readonly backlog: Effect.Effect<Backlog>
  }
>()("outreach-forecast/mail/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { forUpdateSkipLocked } = dialectOf(sql)
      const isToOneOf = (addresses: ReadonlyArray<string>) =>
        sql`lower(recipient) IN ${sql.in(addresses.map((address) => address.toLowerCase()))}`
      return Outbox.of({
        put: (mail) =>
          execute(sql`
            INSERT INTO mails ${sql.insert(toMailRow(mail))}
            ON CONFLICT (id) DO UPDATE SET
              state = excluded.state, attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at,
              last_error = excluded.last_error, sent_at = excluded.sent_at`),
        claim: (now, until, unanswered) => {
          const oldest = (isUnanswered: Statement.Fragment) => sql`
            SELECT id FROM mails
            WHERE state = 'queued' AND (next_attempt_at <= ${now} OR next_attempt_at > ${now + longestWait})
              AND ${isUnanswered}
            ORDER BY next_attempt_at LIMIT 1${forUpdateSkipLocked}`
          const others = oldest(sql`(last_error IS NULL OR last_error <> ${notAnswered})`)
          // Two queries that an index orders: one for all would sort a whole backlog for each email.
          const next = unanswered ? sql`coalesce((${others}), (${oldest(sql`last_error = ${notAnswered}`)}))` : others
          return findFirst(
            MailRow,
            sql`UPDATE mails SET attempts = attempts + 1, next_attempt_at = ${until} WHERE id = (${next}) RETURNING *`
          )
        },
        record: ({ attempts, id, lastError, nextAttemptAt, sentAt, state, to }) =>
          execute(sql`
            UPDATE mails SET ${sql.update(toRow({ state, nextAttemptAt, lastError, sentAt }))}
            WHERE id = ${id} AND recipient = ${to}${
              state === "sent" ? sql`` : sql` AND state = 'queued' AND attempts = ${attempts}`
            }`),
        find: (id) => findFirst(MailRow, sql`SELECT * FROM mails WHERE id = ${id}`),
        list: (state, limit, addresses) => {
          if (addresses?.length === 0) return Effect.succeed([])
          const isInState = state === undefined ? sql`` : sql` AND state = ${state}`
          const isTo = addresses === undefined ? sql`` : sql` AND ${isToOneOf(addresses)}`
          return findAll(
            MailRow,
            sql`SELECT * FROM mails WHERE true${isInState}${isTo} ORDER BY created_at DESC, id DESC LIMIT ${limit}`
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
        backlog: Effect.map(
          findAll(
            BacklogRow,
            sql`
              SELECT state, count(*) AS count, min(created_at) AS oldest_at
              FROM mails WHERE state IN ('queued', 'dead') GROUP BY state`
          ),
          (rows) => {
            const [queued, dead] = ["queued", "dead"].map((state) => rows.find((row) => row.state === state))
            return { queued: queued?.count ?? 0, dead: dead?.count ?? 0, oldestQueuedAt: queued?.oldestAt }
          }
        )
      })
    })
  )
}
