// Attacks fresh server processes over their sockets, as a stranger could. For each attack it prints the figures
// measured and whether the service withstood it; it exits with status 1 if an attack succeeded. To run only attacks
// whose names contain a word:
// npm run attack -- --only clock
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { temporaryDirectory } from "../test/support/Application.ts"
import { type Attack, startTarget } from "./attack/Attack.ts"
import { longAttacks, quickAttacks } from "./attack/attacks.ts"

const { only } = parseArgs({ options: { only: { type: "string", default: "" } } }).values
const wanted = (attacks: ReadonlyArray<Attack>) => attacks.filter(({ name }) => name.includes(only))

let tried = 0
let succeeded = 0

const attackInTurn = Effect.fnUntraced(function* (attacks: ReadonlyArray<Attack>, env?: Attack["env"]) {
  if (attacks.length === 0) return
  const target = yield* startTarget(yield* temporaryDirectory, env)
  for (const { name, run } of attacks) {
    const { figure, isDefended, isSkipped = false } = yield* Effect.scoped(run(target))
    if (!isSkipped) tried++
    if (!isDefended) succeeded++
    console.log(`${isSkipped ? "skip" : isDefended ? "pass" : "FAIL"}  ${name}: ${figure}`)
  }
}, Effect.scoped)

const main = Effect.gen(function* () {
  yield* attackInTurn(wanted(quickAttacks))
  for (const attack of wanted(longAttacks)) yield* attackInTurn([attack], attack.env)
  console.log(`${tried} attacks, ${succeeded} succeeded`)
  if (succeeded > 0) process.exitCode = 1
})

NodeRuntime.runMain(main)
