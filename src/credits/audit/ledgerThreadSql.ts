import { parentPort, workerData } from "node:worker_threads"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Schema } from "effect"
import { verify } from "./LedgerAuditSql.ts"
import * as Sqlite from "../../database/Sqlite.ts"

/** The program of the thread that verifies the ledger in a SQLite file, and posts the report. */
const program = Effect.gen(function* () {
  const file = yield* Schema.decodeUnknownEffect(Schema.String)(workerData)
  const report = yield* Effect.provide(verify, Sqlite.layer({ kind: "sqlite", file }, "read"))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only windows have origins.
  parentPort?.postMessage(report)
})

NodeRuntime.runMain(Effect.provide(program, NodeServices.layer), {
  disableErrorReporting: true,
  teardown: (exit) => {
    // An error thrown in a thread reaches its owner as an event, as a copy without the class.
    if (Exit.isFailure(exit)) throw new Error(Cause.pretty(exit.cause))
  }
})
