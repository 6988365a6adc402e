import { parentPort, workerData } from "node:worker_threads"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Queue, Schema } from "effect"
import { Audit } from "./LedgerAudit.ts"
import { advance } from "./LedgerAuditSql.ts"
import * as Sqlite from "../../database/Sqlite.ts"

const decodeAudit = Schema.decodeUnknownEffect(Audit)

/** The program of the thread that audits the ledger in a SQLite file: one piece of each audit that it is sent. */
const program = Effect.gen(function* () {
  const file = yield* Schema.decodeUnknownEffect(Schema.String)(workerData)
  const sent = yield* Queue.unbounded<unknown>()
  parentPort?.on("message", (audit) => Queue.offerUnsafe(sent, audit))
  const answer = Effect.gen(function* () {
    const audit = yield* advance(yield* decodeAudit(yield* Queue.take(sent)))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only windows have origins.
    parentPort?.postMessage(audit)
  })
  return yield* Effect.provide(Effect.forever(answer), Sqlite.layer({ kind: "sqlite", file }, "read"))
})

NodeRuntime.runMain(Effect.provide(program, NodeServices.layer), {
  disableErrorReporting: true,
  teardown: (exit) => {
    // An error thrown in a thread reaches its owner as an event, as a copy without the class.
    if (Exit.isFailure(exit)) throw new Error(Cause.pretty(exit.cause))
  }
})
