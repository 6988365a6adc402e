import { Worker } from "node:worker_threads"
import { Effect, Layer, Schema } from "effect"
import { connect } from "../../database/Database.ts"
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

/** Verifies the configured database's ledger: seconds per million entries, so the service uses a thread. */
export const layerFor = (mode: AccessMode) =>
  Layer.unwrap(
    Effect.map(Settings, ({ database }): Layer.Layer<LedgerAudit, never, SqlServices> => {
      if (database.kind === "postgres") return LedgerAuditSql.layerOver(connect(withLongTimeouts(database), "read"))
      return mode === "serve" && database.file !== ":memory:" ? layerThread(database.file) : LedgerAuditSql.layer
    })
  )

type SqlServices = Layer.Services<typeof LedgerAuditSql.layer> | Layer.Services<ReturnType<typeof connect>>
