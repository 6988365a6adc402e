// Attacks fresh server processes over their sockets, as a stranger could, and prints of each attack what was measured and
// whether the service withstood it. Ends with 1 where an attack succeeded.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { temporaryDirectory } from "../test/support/Application.ts"
import { type Attack, startTarget } from "./attack/Attack.ts"
import { longAttacks, quickAttacks } from "./attack/attacks.ts"

let succeeded = 0

const attackInTurn = Effect.fnUntraced(function* (attacks: ReadonlyArray<Attack>) {
  const target = yield* startTarget(yield* temporaryDirectory)
  for (const { name, run } of attacks) {
    const { figure, isDefended } = yield* Effect.scoped(run(target))
    if (!isDefended) succeeded++
    console.log(`${isDefended ? "pass" : "FAIL"}  ${name}: ${figure}`)
  }
}, Effect.scoped)

const main = Effect.gen(function* () {
  yield* attackInTurn(quickAttacks)
  for (const attack of longAttacks) yield* attackInTurn([attack])
  console.log(`${quickAttacks.length + longAttacks.length} attacks, ${succeeded} succeeded`)
  if (succeeded > 0) process.exitCode = 1
})

NodeRuntime.runMain(main)
