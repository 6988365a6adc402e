import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { Mails } from "../../src/mail/Mails.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { application } from "../support/Application.ts"

it.effect("what is measured every few seconds reads no email that was sent and no order that is done", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { backlog } = yield* Mails
    const { overdue, unpaid } = yield* Orders
    const statements: Array<readonly [string, ReadonlyArray<unknown>]> = []
    yield* Effect.all([backlog, unpaid, overdue]).pipe(
      Effect.provideService(Statement.CurrentTransformer, (statement) => {
        statements.push(statement.compile())
        return Effect.succeed(statement)
      })
    )
    const plans = yield* Effect.forEach(statements, ([text, parameters]) =>
      sql.unsafe<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters)
    )
    const reads = plans.flat().flatMap(({ detail }) => /^(?:SCAN|SEARCH) (?!CONSTANT|\().*/.exec(detail)?.[0] ?? [])
    assert.isAtLeast(reads.length, 4)
    for (const read of reads) assert.match(read, /USING (COVERING )?INDEX (mails_open|orders_unpaid|orders_mail)\b/)
  }).pipe(Effect.provide(application()))
)
