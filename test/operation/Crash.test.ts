import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Random } from "effect"
import { crashRounds } from "../support/CrashRounds.ts"
import { slowly } from "../support/slowly.ts"

describe("kill -9 under load", slowly, () => {
  it.live("loses no acknowledged forecast and takes no credit twice with two servers on one database", () =>
    Effect.gen(function* () {
      const seed = yield* Clock.currentTimeMillis
      // `npm run crash` does the same for longer.
      const report = yield* Random.withSeed(crashRounds({ rounds: 1, servers: 2 }), seed)
      assert.deepStrictEqual(report.faults, [], `seed ${seed}`)
      assert.deepInclude(report, { rounds: 1, restarts: 2 })
      assert.isAbove(report.acknowledged, 0)
      assert.isAtLeast(report.inLedger, report.acknowledged)
    })
  )
})
