import type { ProgressAnswer } from "./ProgressAnswer.ts"
import type { ProgressRequest } from "./ProgressRequest.ts"
import { expectedAt } from "../../forecast/Campaign.ts"
import { averageText, isQuestion, such, withAdvice } from "../../forecast/Spoken.ts"
import { clientsText, ofHundred } from "../../forecast/Words.ts"
import { clientRange, integer } from "../../text/Figures.ts"

/** The plan of a campaign in flight. */
type Planned = Pick<ProgressRequest, "assumptions">

/** The parts of an answer that its summary is about. */
type Ended = Pick<ProgressAnswer, "end" | "plan" | "recommendations">

/** The end of a campaign in flight, and whether it reaches its plan. */
const ofEnd = ({ end, plan }: Ended, { assumptions }: Planned): string => {
  const { chance_within, expected, high, low, so_far: won } = end.clients
  const planned = clientsText(expectedAt(assumptions, "clients"))
  const brought = high === 0 ? "no client" : clientRange({ low, high }, integer)
  if (low === high && chance_within === 1) return `It ended with ${brought}; the plan was ${planned}.`
  const reached =
    won >= plan.clients
      ? ", which it has already reached"
      : `: ${integer(plan.clients)} or more are reached in ${ofHundred(plan.chance_of_at_least)}`
  return `In ${such(chance_within)} it ends with ${brought}, ${averageText(expected)} on average; the plan is ${planned}${reached}.`
}

/**
 * The sentences to pass on about a campaign in flight: the doubt first, then its end, then what to do first. `doubt` is
 * the advice on its units, if there is any.
 */
export const ofProgress = (answer: Ended, request: Planned, doubt: string | undefined): string => {
  const [first = ""] = answer.recommendations
  return withAdvice(ofEnd(answer, request), first, isQuestion(first) || first === doubt)
}
