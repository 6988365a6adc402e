import { Worker } from "node:worker_threads"
import { Effect, Layer, Schema } from "effect"
import { LedgerAudit, LedgerReport } from "./LedgerAudit.ts"

/** The program of the thread: a file of the build, or its source if the sources are run directly. */
const program = new URL(import.meta.url.endsWith(".ts") ? "ledgerThreadSql.ts" : "ledgerThreadSql.js", import.meta.url)

const decodeReport = Schema.decodeUnknownEffect(LedgerReport)

/** Verifies the ledger of a SQLite file in a thread of its own: each statement blocks its thread, here for seconds. */
export const layer = (file: string) =>
  Layer.succeed(LedgerAudit, {
    verify: Effect.callback<LedgerReport>((resume) => {
      const thread = new Worker(program, { workerData: file, env: {}, execArgv: [] })
      thread.once("message", (report) => resume(Effect.orDie(decodeReport(report))))
      thread.once("error", (error) => resume(Effect.die(error)))
      // Not awaited: the thread ends after the current statement.
      return Effect.sync(() => void thread.terminate())
    })
  })
