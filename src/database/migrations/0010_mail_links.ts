import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Statements.ts"

/** What the link in an email leads to, which its ID used to say by its first letters. */
export const mailLinks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE mails ADD COLUMN link_kind ${dialectOf(sql).text}
    CHECK (link_kind IN ('reveal', 'order', 'unsubscribe'))`
  yield* sql`
    UPDATE mails SET link_kind = CASE
      WHEN substr(link_id, 1, 4) = 'ord_' THEN 'order'
      WHEN substr(link_id, 1, 12) = 'unsubscribe:' THEN 'unsubscribe'
      ELSE 'reveal' END
    WHERE link_id IS NOT NULL`
  yield* sql`UPDATE mails SET link_id = substr(link_id, 13) WHERE link_kind = 'unsubscribe'`
})
