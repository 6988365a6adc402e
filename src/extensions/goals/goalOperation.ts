import { learns } from "../../forecast/Forecaster.ts"
import { GoalAnswer } from "./GoalAnswer.ts"
import { decodeGoalRequest, exampleGoal, GoalRequest } from "./GoalRequest.ts"
import { reachGoal } from "./Goals.ts"
import { asInForecast, historyLimit, oneCredit, operation } from "../../metering/Operations.ts"
import { goalReaching } from "./goalReaching.ts"
import { goalCall } from "./GoalCall.ts"
import { goalLines } from "./goalLines.ts"

/** A forecast solved backwards. */
export const goalOperation = operation({
  id: "goal",
  ...goalCall,
  summary: "Reach a goal",
  description:
    "Solves a forecast backwards: the number of emails, or the rate, deal value or cost, that would by itself reach a given " +
    "number of replies, meetings or clients, or a given revenue, profit or ROI, on average or with a given " +
    "chance. All other inputs stay the same, including campaign_cost. If no value within the bounds of an " +
    "input is enough, `needed` is null. A 200 takes one credit, like a forecast, and counts as one.",
  limit: historyLimit,
  exampleRequests: 3,
  tool: {
    name: "reach_goal",
    title: "Reach a goal",
    description:
      "Solves a forecast backwards: the number of emails, or the rate, deal value or cost, that would by itself reach a given " +
      "number of replies, meetings or clients, or a given revenue, profit or ROI; on average, or with a given chance. " +
      `Null if no value is enough. ${asInForecast}`,
    cost: oneCredit
  },
  request: GoalRequest,
  decode: decodeGoalRequest,
  compute:
    ({ answer }) =>
    (request, turn) =>
      answer(goalReaching, learns(request.assumptions) || request.goal.chance !== undefined, request, turn),
  answer: {
    identifier: "GoalAnswer",
    description:
      "What it takes to reach a goal by changing one input at a time, and the usage and remaining credits of the key.",
    schema: GoalAnswer,
    example: () => reachGoal(exampleGoal.goal, exampleGoal.assumptions)
  },
  lines: goalLines
})
