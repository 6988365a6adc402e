import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { orDefect } from "./Failures.ts"
import type { Transaction } from "./Transaction.ts"

/** The free pages that stay in the file for reuse, and the number released at a time. */
const spare = 1000
const pagesAtOnce = 100

/** Returns the free pages of a SQLite file to its disk, a few at a time, except the spare ones. */
export const giveSpaceBack = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { run }: Transaction["Service"]) {
  const freePages = Effect.map(
    orDefect(sql<{ readonly freelistCount: number }>`PRAGMA freelist_count`),
    ([row]) => row?.freelistCount ?? 0
  )
  let free = yield* freePages
  while (free > spare) {
    // The driver takes one step of a statement without columns, and each frees one page.
    const step = orDefect(Effect.asVoid(sql`PRAGMA incremental_vacuum(1)`))
    yield* run(Effect.replicateEffect(step, pagesAtOnce, { discard: true }))
    const left = yield* freePages
    if (left >= free) return
    free = left
    yield* Effect.sleep("20 millis")
  }
})
