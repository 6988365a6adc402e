// How often a server makes its write-ahead log durable, watched by strace: at least once for each commit, and before an
// answer goes out. For more: npm run fsyncs -- --seconds 10 --callers 64
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { canTrace, watchSyncs } from "../test/support/Syncs.ts"

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "5" }, callers: { type: "string", default: "32" } }
})

if (!canTrace) throw new Error("This takes strace, and the right to trace processes.")

const main = Effect.gen(function* () {
  const { alone, together } = yield* watchSyncs(Number(values.callers), Number(values.seconds) * 1000)
  console.table({ [`${values.callers} callers`]: together, "1 caller": alone })
  if (together.early + alone.early > 0) process.exitCode = 1
})

NodeRuntime.runMain(Effect.scoped(main))
