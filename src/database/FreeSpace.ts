import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { orDefect } from "./Failures.ts"
import type { Transaction } from "./Transaction.ts"

/** The largest existing file that is rewritten with VACUUM, in bytes: beyond that it would take too long. */
const mostRewritten = 64 * 1024 * 1024

/** How many free pages stay in the file for reuse, and how many are released at a time. */
const spare = 1000
const pagesAtOnce = 100

/** Makes the effect that returns the free pages of a SQLite file to its disk, a few at a time. */
export const makeGiveSpaceBack = (sql: SqlClient.SqlClient, { run }: Transaction["Service"]) => {
  const read = (name: string) =>
    orDefect(
      Effect.map(sql<Record<string, number>>`PRAGMA ${sql.literal(name)}`, ([row = {}]) => Object.values(row)[0] ?? 0)
    )

  /** A file from an earlier version cannot shrink until it has been rewritten once; skipped while another process uses it. */
  const enable = Effect.gen(function* () {
    if ((yield* read("auto_vacuum")) !== 0) return
    if ((yield* read("page_count")) * (yield* read("page_size")) > mostRewritten) return
    yield* sql`PRAGMA auto_vacuum = INCREMENTAL`
    yield* sql`VACUUM`
  }).pipe(Effect.ignore)

  /** Releases free pages until only the spare ones are left. */
  const giveBack = Effect.gen(function* () {
    let free = yield* read("freelist_count")
    while (free > spare) {
      // The driver takes one step of a statement without columns, and each frees one page.
      const step = orDefect(Effect.asVoid(sql`PRAGMA incremental_vacuum(1)`))
      yield* run(Effect.replicateEffect(step, pagesAtOnce, { discard: true }))
      const left = yield* read("freelist_count")
      if (left >= free) return
      free = left
      yield* Effect.sleep("20 millis")
    }
  })

  return Effect.andThen(enable, giveBack)
}
