import { Effect } from "effect"
import type { Extension } from "../../Extension.ts"
import { KeyId } from "../../KeyStatus.ts"
import { expiring, Notices, queueing } from "./Notices.ts"
import * as UnsubscribeHttp from "./UnsubscribeHttp.ts"

/** Emails before the credits of a key run out, and how they are switched off. */
export const notices = {
  pages: UnsubscribeHttp.layer,
  services: Notices.layer,
  background: queueing,
  mailLinks: Effect.map(Notices, ({ makePath }) => ({ unsubscribe: (id: string) => makePath(KeyId.make(id)) })),
  expiring: { unsubscribeLinks: expiring }
} as const satisfies Extension
