import { Effect } from "effect"
import type { Grants } from "./Grants.ts"
import type { ApiKey } from "../keys/ApiKey.ts"
import type { KeyStore } from "../keys/KeyStore.ts"
import { mailboxOf } from "../keys/Mailbox.ts"

/** Gives each mailbox the preview credits once, however its address is spelt; in the caller's transaction. */
export const makePreviewCredits = (store: KeyStore["Service"], grants: Grants["Service"]) => {
  /** Grants from before mailboxes had a normal form are in the name of the address as it was typed, in lower case. */
  const hadThem = Effect.fnUntraced(function* (email: string) {
    const mailbox = mailboxOf(email)
    // An address that nobody has confirmed got none, and strangers can make many of them.
    const others = (yield* store.findByMailbox(mailbox)).filter(({ state }) => state !== "unconfirmed")
    return yield* grants.hadPreview([mailbox, ...[email, ...others.map(({ owner }) => owner.email)].map(lower)])
  })
  return {
    /** Whether the mailbox of an address had them, under any spelling. */
    hadThem,
    /** Gives them to a key, unless the mailbox of its owner had them. */
    give: Effect.fnUntraced(function* ({ id, owner }: ApiKey) {
      if (!(yield* hadThem(owner.email))) yield* grants.grantPreview(id, mailboxOf(owner.email))
    })
  }
}

const lower = (text: string) => text.toLowerCase()
