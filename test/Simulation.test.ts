import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulate } from "../scripts/simulate/Simulation.ts"
import { slowly } from "./support/slowly.ts"

describe("A simulated service", slowly, () => {
  it.live(
    "neither loses nor duplicates a credit, grant or email, and leaves nothing pending, whatever crashes when",
    () =>
      Effect.gen(function* () {
        // `npm run simulate` runs longer, and replays a seed with its steps.
        for (let seed = 1; seed <= 20; seed++) {
          const { fault } = yield* simulate(seed)
          assert.isUndefined(fault, `npm run simulate -- --from ${seed} --seeds 1`)
        }
      })
  )

  it.live("takes the same steps for the same seed", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* simulate(7)).steps, (yield* simulate(7)).steps)
    })
  )
})
