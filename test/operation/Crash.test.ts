import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Random } from "effect"
import { crashRounds } from "../support/CrashRounds.ts"

/** `npm run crash` does the same for longer. */
const survives = (rounds: number, servers: number) =>
  Effect.gen(function* () {
    const seed = yield* Clock.currentTimeMillis
    const report = yield* Random.withSeed(crashRounds({ rounds, servers }), seed)
    assert.deepStrictEqual(report.faults, [], `seed ${seed}`)
    assert.deepInclude(report, { rounds, restarts: rounds * servers })
    assert.isAbove(report.acknowledged, 0)
    assert.isAtLeast(report.inLedger, report.acknowledged)
  })

describe("kill -9 under load", () => {
  it.live("loses no acknowledged forecast and takes no credit twice", () => survives(3, 1))

  it.live("loses no acknowledged forecast and takes no credit twice with two servers on one database", () =>
    survives(1, 2)
  )
})
