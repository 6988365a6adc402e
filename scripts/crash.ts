// Crash rounds: servers under load, kill -9 at a random moment, a restart on the same database, and every response that
// was received compared with the ledger. Exits with status 1 if a credit was lost or taken twice. For more:
// npm run crash -- --rounds 1000 --servers 2 --seed 7
// With --postgres two servers share a Postgres database, and the rounds kill one of them and Postgres in turn.
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Clock, Effect, Random } from "effect"
import { crashRounds } from "../test/support/CrashRounds.ts"
import { instanceRounds } from "../test/support/InstanceRounds.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "200" },
    /** The number of servers that share the database. */
    servers: { type: "string", default: "1" },
    postgres: { type: "boolean", default: false },
    seed: { type: "string" }
  }
})

const main = Effect.gen(function* () {
  const seed = Number(values.seed ?? (yield* Clock.currentTimeMillis))
  console.log(`seed ${seed}`)
  const rounds = Number(values.rounds)
  const onRound = (round: number) => {
    if (round % 10 === 0) console.log(`round ${round}`)
  }
  const { faults, ...counts } = yield* (
    values.postgres
      ? instanceRounds({ rounds, victims: ["instance", "postgres"], onRound })
      : crashRounds({ rounds, servers: Number(values.servers), onRound })
  ).pipe(Random.withSeed(seed))
  console.log(counts)
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
})

NodeRuntime.runMain(Effect.scoped(main))
