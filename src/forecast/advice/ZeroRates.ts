import { rateNames } from "../outlook/Campaign.ts"
import type { Advice } from "./Case.ts"
import { changesTo, clientsWith, rateLabel, sourcesOf, targetOf } from "./Rates.ts"
import { clientsText, emailsText, listed, rateText } from "./Words.ts"

/** Asks for the rates that are 0, which leave nothing else to advise on. */
export const fillInZeroRates: Advice = ({ assumptions, funnel }) => {
  if (funnel.clients.value !== 0n) return undefined
  const targets = rateNames.filter((rate) => assumptions[rate]?.value === 0n).map((rate) => targetOf(assumptions, rate))
  const [first, ...others] = targets
  if (first === undefined) return undefined
  const isAlone = others.length === 0
  const plans = targets.map(({ rate, value }) => `a ${rateLabel[rate]} of ${rateText(value)}`)
  return (
    `Replace the ${isAlone ? `${rateLabel[first.rate]} of 0 %, which leaves` : "rates of 0 %, which leave"} no client however many ` +
    `emails you send: with ${listed(plans)} (${isAlone ? first.source : sourcesOf(targets)}), ` +
    `${emailsText(assumptions.emails_sent)} would bring ${clientsText(clientsWith(assumptions, changesTo(targets)))}.`
  )
}
