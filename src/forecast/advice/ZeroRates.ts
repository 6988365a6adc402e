import type { Advice } from "./Case.ts"
import { clientsWith, rateName, rates, referenceOf, sourceOf, sourcesOf, toReferences } from "./Rates.ts"
import { clientsText, emailsText, listed, rateText } from "./Words.ts"

/** Asks for the rates that are 0, which leave nothing else to advise on. */
export const fillInZeroRates: Advice = ({ assumptions, funnel }) => {
  if (funnel.clients.value !== 0n) return undefined
  const zeros = rates.filter((rate) => assumptions[rate]?.value === 0n)
  const [first, ...others] = zeros
  if (first === undefined) return undefined
  const isAlone = others.length === 0
  const plans = zeros.map((rate) => `a ${rateName[rate]} of ${rateText(referenceOf(assumptions, rate))}`)
  const clients = clientsWith(assumptions, toReferences(assumptions, zeros))
  return (
    `Replace the ${isAlone ? `${rateName[first]} of 0 %, which leaves` : "rates of 0 %, which leave"} no client however many ` +
    `emails you send: with ${listed(plans)} (${isAlone ? sourceOf(assumptions, first) : sourcesOf(zeros)}), ` +
    `${emailsText(assumptions.emails_sent)} would bring ${clientsText(clients)}.`
  )
}
