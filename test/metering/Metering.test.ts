import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { applications } from "../support/Application.ts"
import { checkMetering } from "../support/Metering.ts"
import { slowly } from "../support/slowly.ts"

/** `npm run property` runs longer. Creating a database for each run is slow on Postgres. */
const runsOver = (name: string) => (name === "Postgres" ? 10 : 30)

describe("Metering", slowly, () => {
  for (const [name, application] of Object.entries(applications)) {
    it.live(`over ${name} behaves like the model for random commands in random order`, () =>
      Effect.gen(function* () {
        assert.isUndefined(yield* checkMetering(application, { runs: runsOver(name) }))
      })
    )
  }
})
