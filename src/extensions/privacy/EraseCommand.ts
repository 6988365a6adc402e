import { Effect } from "effect"
import { Command, Flag, Prompt, TerminalCapabilities } from "effect/cli"
import { keyName } from "../../cli/Parameters.ts"
import { fields, json, print } from "../../cli/Printing.ts"
import { InvalidInvocation } from "../../cli/UserFailures.ts"
import { counted } from "../../text/Figures.ts"
import { withoutSecrets } from "../../text/SafeText.ts"
import { ApiKeys } from "../../keys/ApiKeys.ts"
import { Erasure } from "./Erasure.ts"

/** Asks for confirmation of an irreversible action; impossible without a terminal. */
const isConfirmed = Effect.fnUntraced(function* (key: string) {
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  if (!canPrompt) return false
  const message = `Permanently erase the person with the key ${withoutSecrets(key)}?`
  return yield* Effect.orElseSucceed(Prompt.run(Prompt.Confirm({ message })), () => false)
})

/** `keys erase`: removes a person's data. */
export const eraseCommand = Command.make(
  "erase",
  {
    key: keyName,
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("Skip the confirmation; required without a terminal"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fnUntraced(function* ({ json, key, yes }) {
    if (!yes && !(yield* isConfirmed(key))) {
      return yield* new InvalidInvocation({ message: "Nothing was erased. To skip the confirmation, add --yes." })
    }
    const { id } = yield* (yield* ApiKeys).find(key)
    const { openPayments, ...erased } = yield* (yield* Erasure).erase(id, "operator")
    const shown = { ...erased, open_payments: openPayments }
    const open = `\n${counted(openPayments, "payment")} could not be closed: expire them with the provider, or refund them if they are paid.`
    yield* print(
      json,
      shown,
      `${fields(shown)}\n\nTheir credits, usage and order amounts are kept, but no longer belong to anyone.${openPayments === 0 ? "" : open}`
    )
  })
).pipe(
  Command.withDescription(
    "Erase a person: permanently revoke the key and every other key for the same mailbox, and remove their name, address and company from keys, orders and emails, and what you wrote about them: reasons and references. Credits, usage and order amounts stay."
  )
)
