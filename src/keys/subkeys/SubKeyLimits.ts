import { Effect } from "effect"
import { Limits } from "../../Limits.ts"
import type { KeyId } from "../../KeyId.ts"
import { Settings } from "../../Settings.ts"
import type { SubKey } from "./SubKey.ts"

/** The most sub-keys of a key that may be created in an hour: their records are kept for 90 days. */
const createdPerHour = 100

/** The most changes of a sub-key in an hour: each is recorded. */
const changesPerHour = 20

/** Counts what the owner of a key does with its sub-keys, by API and pages together. */
export const makeSubKeyLimits = Effect.gen(function* () {
  const limits = yield* Limits
  const { rotationsPerHour } = (yield* Settings).limits
  return {
    creation: (keyId: KeyId) => limits.count(`sub-keys ${keyId}`, createdPerHour),
    change: ({ id }: SubKey) => limits.count(`change ${id}`, changesPerHour),
    rotation: ({ id }: SubKey) => limits.count(`rotation ${id}`, rotationsPerHour)
  }
})
