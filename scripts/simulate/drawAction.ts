import { Effect } from "effect"
import { deliverDue } from "../../src/mail/MailWorker.ts"
import { Retention } from "../../src/retention/Retention.ts"
import type { Action } from "./Action.ts"
import { makeForecastActions } from "./forecastActions.ts"
import { access, adjust, confirm, revoke, rotate, setKeyPlan } from "./keyActions.ts"
import { cancel, fulfil, order } from "./orderActions.ts"
import type { Outside } from "./Outside.ts"
import type { Drawn, Part } from "./Part.ts"

/** Deletes expired data. */
export const purging: Action = { name: "purge", run: Effect.flatMap(Retention, ({ purge }) => purge) }

/** Sends the mail that is due. */
export const mailing: Action = { name: "mail", run: deliverDue }

/** Draws the next action: it is undefined if nobody can perform the one that was drawn. */
export const makeDrawAction = (outside: Outside, parts: ReadonlyArray<Part>): (() => Action | undefined) => {
  const { forecast, together } = makeForecastActions(
    outside,
    parts.flatMap(({ requested = [] }) => requested)
  )
  const all: ReadonlyArray<Drawn> = [
    { weight: 11, action: () => access(outside) },
    { weight: 16, action: () => mailing },
    { weight: 9, action: () => confirm(outside) },
    { weight: 8, action: (known) => order(outside, known) },
    { weight: 2, action: (known) => known && rotate(outside, known) },
    { weight: 1, action: (known) => known && revoke(outside, known) },
    { weight: 1.5, action: (known) => known && setKeyPlan(outside, known) },
    { weight: 1.5, action: (known) => known && adjust(outside, known) },
    { weight: 1.5, action: () => fulfil(outside) },
    { weight: 1.5, action: () => cancel(outside) },
    { weight: 2, action: () => purging },
    { weight: 7, action: (known) => known && together() },
    { weight: 13, action: (known) => known && forecast(known) },
    ...parts.flatMap(({ drawn = [] }) => drawn)
  ]
  const whole = all.reduce((sum, { weight }) => sum + weight, 0)
  return () => {
    let left = outside.random() * whole
    const known = outside.chance(0.7) ? outside.secrets.at(-1) : outside.pick(outside.secrets)
    for (const { action, weight } of all) {
      left -= weight
      if (left < 0) return action(known)
    }
    return undefined
  }
}
