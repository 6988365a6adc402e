import { Effect, Layer } from "effect"
import { KeyCredits } from "../keys/KeyCredits.ts"
import { KeyStore } from "../keys/KeyStore.ts"
import { mailboxOf } from "../keys/Mailbox.ts"
import { Credits } from "./Credits.ts"
import { Grants } from "./Grants.ts"

const lower = (text: string) => text.toLowerCase()

/** The credits of keys. Each mailbox gets preview credits once, however its address is spelt. */
export const layer = Layer.effect(
  KeyCredits,
  Effect.gen(function* () {
    const credits = yield* Credits
    const grants = yield* Grants
    const store = yield* KeyStore

    /** Grants from before mailboxes had a normal form are in the name of the address as it was typed, in lower case. */
    const hadPreview = Effect.fnUntraced(function* (email: string) {
      const mailbox = mailboxOf(email)
      // An address that nobody has confirmed got none, and strangers can make many of them.
      const others = (yield* store.findByMailbox(mailbox)).filter(({ state }) => state !== "unconfirmed")
      return yield* grants.hadPreview([mailbox, ...[email, ...others.map(({ owner }) => owner.email)].map(lower)])
    })

    return KeyCredits.of({
      balance: credits.balance,
      hadPreview,
      givePreview: Effect.fnUntraced(function* ({ id, owner }) {
        if (!(yield* hadPreview(owner.email))) yield* grants.grantPreview(id, mailboxOf(owner.email))
      }),
      setBalance: grants.setBalance
    })
  })
)
