import type { Extension } from "../../Extension.ts"
import { expiring, Sessions } from "./Sessions.ts"
import * as OwnerPagesHttp from "./OwnerPagesHttp.ts"
import * as SignedInHeaderHttp from "./SignedInHeaderHttp.ts"

/** The page of a key for its owner, and who is signed in on every page. */
export const account = {
  pages: OwnerPagesHttp.layer,
  aroundPages: SignedInHeaderHttp.layer,
  services: Sessions.layer,
  expiring: { sessions: expiring },
  links: [{ path: "/key", label: "Your key", header: 5, errorPage: 3 }]
} as const satisfies Extension
