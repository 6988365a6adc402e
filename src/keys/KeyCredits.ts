import { Context, type Effect } from "effect"
import type { Balance } from "../Balance.ts"
import type { KeyId, SubKeyId } from "../KeyId.ts"
import type { ApiKey } from "./ApiKey.ts"

/** The credits that keys come with and show. Credits implement it: keys know nothing else of them. */
export class KeyCredits extends Context.Service<
  KeyCredits,
  {
    /** The balance of a key, with the allowance of the sub-key that asks for it. */
    readonly balance: (keyId: KeyId, subKeyId?: SubKeyId) => Effect.Effect<Balance>
    /** Whether the mailbox of an address had preview credits, under any spelling. */
    readonly hadPreview: (email: string) => Effect.Effect<boolean>
    /** Gives a key its preview credits, unless the mailbox of its owner had them; in the caller's transaction. */
    readonly givePreview: (key: ApiKey) => Effect.Effect<void>
    /** Brings a balance to a number of credits. */
    readonly setBalance: (keyId: KeyId, credits: number, kind: "preview_grant" | "adjustment") => Effect.Effect<Balance>
  }
>()("outreach-forecast/keys/KeyCredits") {}
