import { Context, type Effect } from "effect"
import type { Balance } from "../Balance.ts"
import type { KeyId, SubKeyId } from "../KeyId.ts"
import type { ApiKey } from "./ApiKey.ts"

/** Credits as far as keys need them; the room of credits implements this. */
export class KeyCredits extends Context.Service<
  KeyCredits,
  {
    /** The balance of a key, with the allowance of the given sub-key. */
    readonly balance: (keyId: KeyId, subKeyId?: SubKeyId) => Effect.Effect<Balance>
    /** True if the mailbox of an address has had preview credits, under any spelling. */
    readonly hadPreview: (email: string) => Effect.Effect<boolean>
    /** Grants a key its preview credits, unless the mailbox of its owner has had them; in the caller's transaction. */
    readonly givePreview: (key: ApiKey) => Effect.Effect<void>
    /** Sets a balance to a number of credits. */
    readonly setBalance: (keyId: KeyId, credits: number, kind: "preview_grant" | "adjustment") => Effect.Effect<Balance>
  }
>()("outreach-forecast/keys/KeyCredits") {}
