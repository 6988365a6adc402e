import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import type { KeyId } from "../../src/keys/KeyId.ts"
import { sample } from "./Samples.ts"

/** Where many campaigns are forecast. */
export const path = "/api/v1/forecasts"

/** So many campaigns, no two alike. */
export const campaigns = (count: number): ReadonlyArray<object> =>
  Array.from({ length: count }, (_, i) => ({ name: `Campaign ${i}`, ...sample, emails_sent: 5000 + i }))

/** The body of a request with campaigns. */
export const body = (campaigns: ReadonlyArray<unknown>): string => JSON.stringify({ campaigns })

/** Runs an effect that must not charge the key. */
export const free = <A, E, R>(keyId: KeyId, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const credits = yield* Credits
    const before = yield* credits.history(keyId, 100)
    const result = yield* effect
    assert.deepStrictEqual(yield* credits.history(keyId, 100), before)
    return result
  })
