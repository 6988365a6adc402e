import { Worker } from "node:worker_threads"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { connect } from "../../database/Database.ts"
import { orDefect } from "../../database/Failures.ts"
import type { AccessMode } from "../../database/Migrations.ts"
import { withLongTimeouts } from "../../settings/DatabaseSettings.ts"
import { Settings } from "../../Settings.ts"
import { LedgerAudit, LedgerReport } from "./LedgerAudit.ts"
import * as LedgerAuditSql from "./LedgerAuditSql.ts"

/** The program of the thread: a file of the build, or its source if the sources are run directly. */
const program = new URL(import.meta.url.endsWith(".ts") ? "ledgerThreadSql.ts" : "ledgerThreadSql.js", import.meta.url)

const decodeReport = Schema.decodeUnknownEffect(LedgerReport)

/** Verifies the ledger of a SQLite file in a thread of its own: each statement blocks its thread, here for seconds. */
export const layerThread = (file: string) =>
  Layer.succeed(LedgerAudit, {
    verify: Effect.callback<LedgerReport>((resume) => {
      const thread = new Worker(program, { workerData: file, env: {}, execArgv: [] })
      thread.once("message", (report) => resume(Effect.orDie(decodeReport(report))))
      thread.once("error", (error) => resume(Effect.die(error)))
      // Not awaited: the thread ends after the current statement.
      return Effect.sync(() => void thread.terminate())
    })
  })

/** The most entries of a ledger that is verified without a thread: within 5 ms, where a thread takes 130 to start. */
export const maxEntriesAtOnce = 1000

/** Verifies the ledger of a SQLite file that is being served: a large one in a thread. */
export const layerServed = (file: string) =>
  Layer.effect(
    LedgerAudit,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const large = sql`SELECT id FROM credit_ledger WHERE id > ${maxEntriesAtOnce} LIMIT 1`
      const { verify: verifyInThread } = yield* LedgerAudit
      const verify = Effect.flatMap(orDefect(large), ({ length }) =>
        length === 0 ? LedgerAuditSql.verify : verifyInThread
      )
      return { verify: Effect.provideService(verify, SqlClient.SqlClient, sql) }
    })
  ).pipe(Layer.provide(layerThread(file)))

/** Verifies the configured database's ledger. */
export const layerFor = (mode: AccessMode) =>
  Layer.unwrap(
    Effect.map(Settings, ({ database }): Layer.Layer<LedgerAudit, never, SqlServices> => {
      if (database.kind === "postgres") return LedgerAuditSql.layerOver(connect(withLongTimeouts(database), "read"))
      return mode === "serve" && database.file !== ":memory:" ? layerServed(database.file) : LedgerAuditSql.layer
    })
  )

type SqlServices = Layer.Services<typeof LedgerAuditSql.layer> | Layer.Services<ReturnType<typeof connect>>
