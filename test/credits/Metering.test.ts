import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { memoryApplication, sqliteApplication } from "../support/Application.ts"
import { checkMetering } from "../support/Metering.ts"

/** `npm run property` does the same for as long as one likes. */
const runs = 50

describe("Metering", () => {
  for (const [name, application] of Object.entries({ memory: memoryApplication, SQLite: sqliteApplication })) {
    it.live(`over ${name} does as the model does, whatever is done in whatever order`, () =>
      Effect.gen(function* () {
        assert.isUndefined(yield* checkMetering(application, { runs }))
      })
    )
  }
})
