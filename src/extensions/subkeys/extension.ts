import type { Extension } from "../../Extension.ts"
import { SubKeys } from "../../keys/subkeys/SubKeys.ts"
import { SubKeyGroup } from "../../keys/subkeys/SubKeysApi.ts"
import * as SubKeysHttp from "../../keys/subkeys/SubKeysHttp.ts"

/** Sub-keys: secrets for programs, clients and colleagues that draw on the balance of a key. */
export const subKeys = {
  groups: [{ after: "keys", group: SubKeyGroup }],
  routes: SubKeysHttp.layer,
  services: SubKeys.layer
} as const satisfies Extension
