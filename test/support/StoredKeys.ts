import { Effect } from "effect"
import { KeyId } from "../../src/KeyStatus.ts"
import type { ApiKey } from "../../src/keys/ApiKey.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"

/** The record of a usable key with the id `key_` and a name. */
export const keyOf = (name: string, changes: Partial<ApiKey> = {}): ApiKey => ({
  id: KeyId.make(`key_${name}`),
  owner: { name, email: `${name}@example.com`, company: "Example" },
  plan: "active",
  state: "usable",
  isDemo: false,
  secretPrefix: `ofk_test_${name}`,
  createdAt: 1_800_000_000_000,
  ...changes
})

/** Stores a record of `keyOf`. */
export const insertKey = (name: string) => Effect.flatMap(KeyStore, (keys) => keys.insert(keyOf(name)))
