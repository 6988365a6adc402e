import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { canTrace, watchSyncs } from "../support/Syncs.ts"
import { slowly } from "../support/slowly.ts"

if (!canTrace) process.stderr.write("\nNOT TESTED on this machine: syncs of the write-ahead log. It takes strace.\n\n")

describe("durability", slowly, () => {
  it.live.skipIf(!canTrace)(
    "syncs the log for each commit before a response is sent, and groups many charges into one commit",
    () =>
      Effect.gen(function* () {
        const { alone, together } = yield* watchSyncs(40, 300)
        for (const { commits, early, syncs } of [alone, together]) {
          assert.isAbove(commits, 0)
          assert.isAtLeast(syncs, commits)
          assert.strictEqual(early, 0)
        }
        // The service's jobs commit now and then, too.
        assert.isAtLeast(alone.commits, alone.forecasts)
        assert.isBelow(together.commits, together.forecasts / 2)
      })
  )
})
