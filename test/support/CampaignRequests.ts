import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import type { KeyId } from "../../src/KeyId.ts"
import { sample } from "./Samples.ts"

/** Where many campaigns are forecast. */
export const path = "/api/v1/forecasts"

/** So many campaigns, no two alike. */
export const campaigns = (count: number): ReadonlyArray<object> =>
  Array.from({ length: count }, (_, i) => ({ name: `Campaign ${i}`, ...sample, emails_sent: 5000 + i }))

const measured = { observed: 31, out_of: 800 }
const evidence = { reply_rate: measured, positive_reply_rate: measured, close_rate: measured }

/** So many campaigns of the kind that takes longest to compute: some milliseconds each. */
export const measuredCampaigns = (count: number): ReadonlyArray<object> =>
  campaigns(count).map((campaign) => ({ ...campaign, emails_sent: 100_000_000, evidence }))

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
