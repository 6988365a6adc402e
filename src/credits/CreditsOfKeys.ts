import { Effect, Layer } from "effect"
import { KeyCredits } from "../keys/KeyCredits.ts"
import { mailboxOf } from "../keys/Mailbox.ts"
import { Credits } from "./Credits.ts"
import { Grants } from "./Grants.ts"

/** The credits of keys. Each mailbox gets preview credits once, under any spelling of its address. */
export const layer = Layer.effect(
  KeyCredits,
  Effect.gen(function* () {
    const credits = yield* Credits
    const grants = yield* Grants
    return KeyCredits.of({
      balance: credits.balance,
      hadPreview: (email) => grants.hadPreview(mailboxOf(email)),
      givePreview: ({ id, owner }) => grants.grantPreview(id, mailboxOf(owner.email)),
      setBalance: grants.setBalance
    })
  })
)
