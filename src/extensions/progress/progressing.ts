import { Result } from "effect"
import { progressInSteps } from "../../forecast/progress/Progress.ts"
import { ProgressAnswer } from "../../forecast/progress/ProgressAnswer.ts"
import { ProgressRequest } from "../../forecast/progress/ProgressRequest.ts"
import { computation } from "../../workers/Computation.ts"

export const progressing = computation(
  "forecast a campaign in flight",
  { input: ProgressRequest, success: ProgressAnswer },
  function* (request) {
    return Result.succeed(yield* progressInSteps(request))
  }
)
