import { computeProgress } from "./Progress.ts"
import { ProgressAnswer } from "./ProgressAnswer.ts"
import { decodeProgressRequest, exampleInFlight, ProgressRequest } from "./ProgressRequest.ts"
import { asInForecast, historyLimit, oneCredit, operation } from "../../metering/Operations.ts"
import { progressing } from "./progressing.ts"
import { progressCall } from "./ProgressCall.ts"
import { progressLines } from "./progressLines.ts"

/** The end of a campaign in flight. */
export const progressOperation = operation({
  id: "progress",
  ...progressCall,
  summary: "Forecast a campaign in flight",
  description:
    "Forecasts the end of a partly sent campaign from its plan and its results so far: the result " +
    "if it continues or stops now, the chance of still reaching the plan, and for each rate whether it may be bad " +
    "luck. Rates are learned from the decided cases, and apply to open cases and new emails alike. At most " +
    "100,000 emails can be left. Counts of more than some thousand people are right to 0.1%, chances to 0.001. A 200 takes one credit, like a forecast, and counts as one.",
  limit: historyLimit,
  exampleRequests: 4,
  tool: {
    name: "campaign_progress",
    title: "Forecast a campaign in flight",
    description:
      "Forecasts the end of a cold-email campaign that is being sent, from its plan and the counts so far: where it ends " +
      "if it continues or stops now, the chance of still reaching the plan, and for each rate whether it is bad luck or a bad " +
      "plan. Ask which emails, replies and meetings are still undecided and pass them as open: they change the answer. " +
      asInForecast,
    cost: oneCredit
  },
  request: ProgressRequest,
  decode: decodeProgressRequest,
  compute:
    ({ answer }) =>
    (request, turn) =>
      answer(progressing, true, request, turn),
  answer: {
    identifier: "ProgressAnswer",
    description:
      "Where a campaign in flight ends compared with its plan, and the usage and remaining credits of the key.",
    schema: ProgressAnswer,
    example: () => computeProgress(exampleInFlight)
  },
  lines: progressLines
})
