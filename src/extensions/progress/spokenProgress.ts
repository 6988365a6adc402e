import type { ProgressAnswer } from "./ProgressAnswer.ts"
import { such, withAdvice } from "../../forecast/Spoken.ts"
import { ofHundred } from "../../forecast/Words.ts"
import { clientRange, counted, integer, people } from "../../text/Figures.ts"

/** The parts of an answer that its summary is about. */
type Ended = Pick<ProgressAnswer, "end" | "plan" | "recommendations">

/** The end of a campaign in flight, and whether it reaches its plan. */
const ofEnd = ({ end, plan }: Ended): string => {
  const { chance_within, expected, high, low, so_far: won } = end.clients
  const planned = counted(plan.clients, "client")
  const brought = high === 0 ? "no client" : clientRange({ low, high }, integer)
  if (low === high && chance_within === 1) return `It ended with ${brought}; the plan, rounded up, was ${planned}.`
  const reached = won >= plan.clients ? "already reached" : `reached in ${ofHundred(plan.chance_of_at_least)}`
  return (
    `In ${such(chance_within)} it ends with ${brought}, ${people(expected)} on average; the plan, ` +
    `rounded up to ${planned}, is ${reached}.`
  )
}

/** The sentences to pass on about a campaign in flight: the doubt first, then its end, then what to do first. */
export const ofProgress = (answer: Ended): string => withAdvice(ofEnd(answer), answer.recommendations[0] ?? "")
