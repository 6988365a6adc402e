import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startTarget } from "../../scripts/attack/Attack.ts"
import { quickAttacks } from "../../scripts/attack/attacks.ts"
import { temporaryDirectory } from "../support/Application.ts"

describe("the quick attacks of npm run attack", () => {
  it.live(
    "a server process withstands them all",
    () =>
      Effect.gen(function* () {
        const target = yield* startTarget(yield* temporaryDirectory)
        for (const { name, run } of quickAttacks) {
          const { figure, isDefended } = yield* Effect.scoped(run(target))
          assert.isTrue(isDefended, `${name}: ${figure}`)
        }
      }),
    // There are many of them, and this is a busy machine at times.
    120_000
  )
})
