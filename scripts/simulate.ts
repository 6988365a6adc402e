// Simulates two instances of the service over one SQLite database in memory, one seed after another: requests, orders,
// webhooks, mails, crashes before any statement, interruptions and clock jumps, with every rule checked after each
// commit. Exits with status 1 if a rule was broken, and prints the steps that led there. For more: npm run simulate --
// --seeds 10000 --from 1 To replay one: npm run simulate -- --from SEED --seeds 1
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Clock, Effect } from "effect"
import { simulate } from "./simulate/Simulation.ts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    /** The number of failing seeds after which the run ends. */
    faults: { type: "string", default: "1" }
  }
})

const whole = (name: "seeds" | "from" | "faults", least: number) => {
  const number = Number(values[name])
  if (Number.isSafeInteger(number) && number >= least) return number
  console.error(`--${name} must be a whole number of at least ${least}, not ${values[name]}`)
  process.exit(2)
}

const main = Effect.gen(function* () {
  const [seeds, from, most] = [whole("seeds", 1), whole("from", 0), whole("faults", 1)]
  const began = yield* Clock.currentTimeMillis
  let [done, steps, faults] = [0, 0, 0]
  while (done < seeds && faults < most) {
    const seed = from + done
    const simulated = yield* simulate(seed)
    done++
    steps += simulated.steps.length
    if (process.stderr.isTTY && done % 20 === 0) process.stderr.write(`\r\u001b[2K${done} of ${seeds} seeds`)
    if (simulated.fault === undefined) continue
    faults++
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K")
    if (faults === 1) for (const step of simulated.steps) console.log(step)
    console.log(`seed ${seed}: ${simulated.fault}`)
  }
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K")
  const seconds = ((yield* Clock.currentTimeMillis) - began) / 1000
  console.log(`${done} seeds, ${steps} steps, ${faults} with a fault, in ${seconds.toFixed(1)} s`)
  if (faults > 0) process.exitCode = 1
})

NodeRuntime.runMain(main)
