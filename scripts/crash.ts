// Crash rounds for as long as one likes: servers under load, kill -9 at a random moment, a restart on the same database,
// and every answer that was read held against the ledger. Ends with 1 where a credit was lost or taken twice. For more:
// npm run crash -- --rounds 1000 --servers 2 --seed 7
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Clock, Effect, Random } from "effect"
import { crashRounds } from "../test/support/CrashRounds.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "200" },
    /** Servers that share the database. */
    servers: { type: "string", default: "1" },
    seed: { type: "string" }
  }
})

const main = Effect.gen(function* () {
  const seed = Number(values.seed ?? (yield* Clock.currentTimeMillis))
  console.log(`seed ${seed}`)
  const { faults, ...counts } = yield* crashRounds({
    rounds: Number(values.rounds),
    servers: Number(values.servers),
    onRound: (round) => {
      if (round % 10 === 0) console.log(`round ${round}`)
    }
  }).pipe(Random.withSeed(seed))
  console.log(counts)
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
})

NodeRuntime.runMain(Effect.scoped(main))
