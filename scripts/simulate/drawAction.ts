import { Effect } from "effect"
import { deliverDue } from "../../src/mail/MailWorker.ts"
import { Retention } from "../../src/retention/Retention.ts"
import type { Action, Known } from "./Action.ts"
import { campaigns, forecast, together } from "./forecastActions.ts"
import { access, adjust, confirm, erase, revoke, rotate, setPlan } from "./keyActions.ts"
import { cancel, fulfil, order, webhook } from "./orderActions.ts"
import type { Outside } from "./Outside.ts"
import { signIn, visit } from "./sessionActions.ts"

/** Deletes expired data. */
export const purging: Action = { name: "purge", run: Effect.flatMap(Retention, ({ purge }) => purge) }

/** Sends the mail that is due. */
export const mailing: Action = { name: "mail", run: deliverDue }

/** Something that an operator, an owner or the service itself does, and that may be refused. */
const maintenance = (outside: Outside, known: Known): Action => {
  const drawn = outside.random()
  if (drawn < 0.25) return rotate(outside, known)
  if (drawn < 0.32) return revoke(outside, known)
  if (drawn < 0.4) return erase(known)
  if (drawn < 0.5) return setPlan(outside, known)
  if (drawn < 0.6) return adjust(outside, known)
  if (drawn < 0.7) return fulfil(outside)
  if (drawn < 0.8) return cancel(outside)
  return purging
}

/** The next action, or undefined if nobody can perform the one that was drawn. */
export const drawAction = (outside: Outside): Action | undefined => {
  const drawn = outside.random()
  const known = outside.chance(0.7) ? outside.secrets.at(-1) : outside.pick(outside.secrets)
  if (drawn < 0.11) return access(outside)
  if (drawn < 0.27) return mailing
  if (drawn < 0.36) return confirm(outside)
  if (drawn < 0.44) return order(outside, known)
  if (drawn < 0.53) return webhook(outside)
  if (known === undefined) return access(outside)
  if (drawn < 0.65) return maintenance(outside, known)
  if (drawn < 0.69) return signIn(outside, known)
  if (drawn < 0.75) return visit(outside)
  if (drawn < 0.82) return together(outside)
  return drawn < 0.87 ? campaigns(outside, known) : forecast(outside, known)
}
