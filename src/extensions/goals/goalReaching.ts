import { Result } from "effect"
import { GoalAnswer } from "./GoalAnswer.ts"
import { GoalRequest } from "./GoalRequest.ts"
import { reachGoalInSteps } from "./Goals.ts"
import { computation } from "../../workers/Computation.ts"

export const goalReaching = computation(
  "reach a goal",
  { input: GoalRequest, success: GoalAnswer },
  function* ({ assumptions, goal }) {
    return Result.succeed(yield* reachGoalInSteps(goal, assumptions))
  }
)
