import { Worker } from "node:worker_threads"
import { Effect, Layer, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { orDefect } from "../../database/Failures.ts"
import type { AccessMode } from "../../database/Migrations.ts"
import { Settings } from "../../Settings.ts"
import { Audit, LedgerAudit, piecesBy } from "./LedgerAudit.ts"
import * as LedgerAuditSql from "./LedgerAuditSql.ts"

/** The program of the thread: a file of the build, or its source if the sources are run directly. */
const program = new URL(import.meta.url.endsWith(".ts") ? "ledgerThreadSql.ts" : "ledgerThreadSql.js", import.meta.url)

const decodeAudit = Schema.decodeUnknownEffect(Audit)

/** A thread with a SQLite file, until the scope closes. It ends after its current statement, which is not awaited. */
const makeThread = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new Worker(program, { workerData: file, env: {}, execArgv: [] })),
    (thread) => Effect.sync(() => void thread.terminate())
  )

/** Has a thread check the next piece of an audit. */
const advanceIn = (thread: Worker) => (audit: Audit) =>
  Effect.callback<Audit>((resume) => {
    thread.removeAllListeners()
    thread.once("message", (next) => resume(Effect.orDie(decodeAudit(next))))
    thread.once("error", (error) => resume(Effect.die(error)))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only windows have origins.
    thread.postMessage(audit)
  })

/** Audits the ledger of a SQLite file in a thread of its own: each statement blocks its thread. */
export const layerThread = (file: string) =>
  Layer.succeed(
    LedgerAudit,
    LedgerAudit.make((audit) =>
      Stream.unwrap(Effect.map(makeThread(file), (thread) => piecesBy(advanceIn(thread))(audit)))
    )
  )

/** The most entries of a ledger that is audited without a thread: within 10 ms, where a thread takes 130 to start. */
export const maxEntriesAtOnce = 1000

/** Audits the ledger of a SQLite file that is being served: a large one in a thread. */
export const layerServed = (file: string) =>
  Layer.effect(
    LedgerAudit,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const large = sql`SELECT id FROM credit_ledger WHERE id > ${maxEntriesAtOnce} LIMIT 1`
      const inThread = yield* LedgerAudit
      return LedgerAudit.make((audit) => {
        const here = Stream.provideService(LedgerAuditSql.pieces(audit), SqlClient.SqlClient, sql)
        return Stream.unwrap(
          Effect.map(orDefect(large), ({ length }) => (length === 0 ? here : inThread.pieces(audit)))
        )
      })
    })
  ).pipe(Layer.provide(layerThread(file)))

/** Audits the configured database's ledger. */
export const layerFor = (mode: AccessMode) =>
  Layer.unwrap(
    Effect.map(Settings, ({ database }) =>
      mode === "serve" && database.kind === "sqlite" && database.file !== ":memory:"
        ? layerServed(database.file)
        : LedgerAuditSql.layer
    )
  )
