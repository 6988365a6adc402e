import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Outbox } from "../../src/mail/Outbox.ts"
import { applicationOn, temporaryDirectory } from "../support/Application.ts"
import { clientOf, migrateBefore } from "../support/EarlierTables.ts"
import { postgresDatabase } from "../support/Postgres.ts"

/** The links of earlier emails, and what they lead to. */
const links = [
  [null, undefined],
  ["0199f0a2-6a5e-7c31-8f0e-2f1d3c4b5a69", { kind: "reveal", id: "0199f0a2-6a5e-7c31-8f0e-2f1d3c4b5a69" }],
  ["ord_3kTq0VbW9sXhY2Lm", { kind: "order", id: "ord_3kTq0VbW9sXhY2Lm" }],
  ["unsubscribe:key_3kTq0VbW9sXhY2Lm", { kind: "unsubscribe", id: "key_3kTq0VbW9sXhY2Lm" }]
] as const

const install = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrateBefore(10)
  for (const [i, [linkId]] of links.entries()) {
    yield* sql`
      INSERT INTO mails (id, recipient, subject, text_body, html_body, link_id, state, attempts, next_attempt_at, created_at)
      VALUES (${`mail ${i}`}, 'ada@example.com', 's', 't', 'h', ${linkId}, 'queued', 0, 0, 0)`
  }
})

const databases = {
  SQLite: Effect.map(temporaryDirectory, (directory) => `sqlite:${directory}/test.db`),
  Postgres: postgresDatabase
}

for (const [name, database] of Object.entries(databases)) {
  describe(`A database on ${name} whose emails name their links by the first letters of an ID`, () => {
    it.live("keeps what each leads to", () =>
      Effect.gen(function* () {
        const url = yield* database
        yield* Effect.provide(install, clientOf(url))
        const found = yield* Effect.gen(function* () {
          const outbox = yield* Outbox
          return yield* Effect.forEach(links, (_, i) => Effect.map(outbox.find(`mail ${i}`), Option.getOrThrow))
        }).pipe(Effect.provide(applicationOn(url)))
        assert.deepStrictEqual(
          found.map(({ link }) => link),
          links.map(([, link]) => link)
        )
      }).pipe(Effect.scoped)
    )
  })
}
