import { Result } from "effect"
import { GoalAnswer } from "../../forecast/goals/GoalAnswer.ts"
import { GoalRequest } from "../../forecast/goals/GoalRequest.ts"
import { reachGoalInSteps } from "../../forecast/goals/Goals.ts"
import { computation } from "../../workers/Computation.ts"

export const goalReaching = computation(
  "reach a goal",
  { input: GoalRequest, success: GoalAnswer },
  function* ({ assumptions, goal }) {
    return Result.succeed(yield* reachGoalInSteps(goal, assumptions))
  }
)
