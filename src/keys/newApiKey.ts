import { Clock, Effect } from "effect"
import type { ApiKey, Owner } from "./ApiKey.ts"
import { KeyId } from "../KeyId.ts"
import * as KeySecret from "./KeySecret.ts"

/** A new record of an owner, unconfirmed and without a secret unless `fields` say otherwise. */
export const newApiKey = Effect.fnUntraced(function* (owner: Owner, fields: Partial<ApiKey> = {}) {
  const key: ApiKey = {
    id: KeyId.make(`key_${yield* KeySecret.randomBase62(16)}`),
    owner,
    plan: "active",
    state: "unconfirmed",
    isDemo: false,
    secretPrefix: "",
    createdAt: yield* Clock.currentTimeMillis,
    ...fields
  }
  return key
})
