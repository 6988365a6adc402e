import type { Extension } from "../../Extension.ts"
import { Erasure } from "./Erasure.ts"
import { eraseCommand } from "./EraseCommand.ts"
import * as PrivacyHttp from "./PrivacyHttp.ts"
import type { CommandDatabase } from "../../cli/CommandDatabase.ts"
import type { ApiKeys } from "../../keys/ApiKeys.ts"

/** The data that is stored about people: the page about it, and its erasure. */
export const privacy = {
  pages: PrivacyHttp.layer,
  services: Erasure.layer,
  commands: ({ changes }: CommandDatabase<ApiKeys | Erasure>) => ({ keys: [changes(eraseCommand)] }),
  links: [
    { path: "/privacy", label: "Privacy", footer: 4 },
    { path: "/privacy#contact", label: "Contact", footer: 5 }
  ]
} as const satisfies Extension
