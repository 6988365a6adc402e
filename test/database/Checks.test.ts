import { assert, describe, layer } from "@effect/vitest"
import { Effect, Record, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { LedgerKind } from "../../src/credits/LedgerEntry.ts"
import { dialectOf, valuesOf } from "../../src/database/Statements.ts"
import { Actor } from "../../src/keys/AuditLog.ts"
import { RevealLink } from "../../src/keys/RevealLinks.ts"
import { KeyPlan, KeyState } from "../../src/KeyStatus.ts"
import { MailLink, MailState } from "../../src/mail/Mail.ts"
import { Dispute, OrderState, PaymentMethod } from "../../src/orders/Order.ts"
import { stores } from "../support/Application.ts"

/** The literals of each column with a check of them. */
const literals = {
  "api_keys.plan": KeyPlan,
  "api_keys.state": KeyState,
  "audit_log.actor": Actor,
  "credit_ledger.kind": LedgerKind,
  "mails.link_kind": MailLink.fields.kind,
  "mails.state": MailState,
  "orders.dispute": Dispute,
  "orders.method": PaymentMethod,
  "orders.state": OrderState,
  "reveal_links.purpose": RevealLink.fields.purpose
}

/** The lists of texts that the checks of all tables allow, by column. */
const allowed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const checks = yield* dialectOf(sql).isPostgres
    ? valuesOf(
        Schema.String,
        sql`
          SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
          WHERE contype = 'c' AND connamespace = current_schema()::regnamespace`
      )
    : valuesOf(Schema.String, sql`SELECT name || ' ' || sql FROM sqlite_schema WHERE type = 'table'`)
  return Object.fromEntries(
    checks.flatMap((check) => {
      const [table = ""] = check.split(" ", 1)
      return [...check.matchAll(/\((\w+) (?:IN \(|= ANY \(ARRAY\[)('[^)\]]+)/g)].map(([, column = "", list = ""]) => [
        `${table}.${column}`,
        new Set([...list.matchAll(/'(\w+)'/g)].map(([, text]) => text))
      ])
    })
  )
})

for (const [name, store] of Object.entries(stores)) {
  describe(`the checks of ${name}`, () => {
    layer(store)((it) => {
      it.effect("allow exactly the literals of the code: others need a migration", () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(
            yield* allowed,
            Record.map(literals, ({ literals }) => new Set<string | undefined>(literals))
          )
        })
      )
    })
  })
}
