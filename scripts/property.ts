// Runs random commands on keys and credits and checks them against a model. If the service and the model differ, prints
// the shortest commands that show it and exits with status 1. For more: npm run property -- --runs 100000 --seed 7
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Clock, Effect } from "effect"
import { application } from "../test/support/Application.ts"
import { checkMetering } from "../test/support/Metering.ts"

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5000" },
    seed: { type: "string" },
    /** The replay options that a failure printed. */
    replay: { type: "string" }
  }
})

const main = Effect.gen(function* () {
  const seed = values.seed ?? String(yield* Clock.currentTimeMillis)
  console.log(`seed ${seed}`)
  const fault = yield* checkMetering(application, { runs: Number(values.runs), seed, replay: values.replay })
  console.log(fault ?? `${values.runs} runs, no difference`)
  if (fault !== undefined) process.exitCode = 1
})

NodeRuntime.runMain(main)
