import type { Extension } from "../../Extension.ts"
import { SubKeys } from "./SubKeys.ts"
import { SubKeyGroup } from "./SubKeysApi.ts"
import * as SubKeysHttp from "./SubKeysHttp.ts"

/** Sub-keys: secrets for programs, clients and colleagues that draw on the balance of a key. */
export const subKeys = {
  groups: [{ after: "keys", group: SubKeyGroup }],
  routes: SubKeysHttp.layer,
  services: SubKeys.layer
} as const satisfies Extension
