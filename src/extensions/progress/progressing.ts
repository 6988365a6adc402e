import { Result } from "effect"
import { progressInSteps } from "./Progress.ts"
import { ProgressAnswer } from "./ProgressAnswer.ts"
import { ProgressRequest } from "./ProgressRequest.ts"
import { computation } from "../../workers/Computation.ts"

export const progressing = computation(
  "forecast a campaign in flight",
  { input: ProgressRequest, success: ProgressAnswer },
  function* (request) {
    return Result.succeed(yield* progressInSteps(request))
  }
)
