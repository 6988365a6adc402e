import { Cause, Effect, Exit, Layer } from "effect"
import * as BackgroundJob from "../observability/BackgroundJob.ts"
import { databaseUp } from "../observability/Metrics.ts"
import { DatabaseHealth } from "./DatabaseHealth.ts"
import { DatabaseUnavailable } from "./Failures.ts"
import { FaultLog } from "./FaultLog.ts"

/** Checks the database while the scope is open, so that the log reports a fault before a request fails because of it. */
export const layer = Layer.suspend(() => {
  let wasWell = true
  return BackgroundJob.layer({
    name: "watch database",
    run: Effect.gen(function* () {
      const { check } = yield* DatabaseHealth
      const { note } = yield* FaultLog
      const checked = yield* Effect.exit(check)
      databaseUp(Exit.isSuccess(checked) ? 1 : 0)
      if (Exit.isSuccess(checked)) {
        if (!wasWell) yield* Effect.logInfo("database works again")
        wasWell = true
        return
      }
      wasWell = false
      const failure = Cause.squash(checked.cause)
      yield* failure instanceof DatabaseUnavailable ? note(failure) : Effect.failCause(checked.cause)
    }),
    every: "10 seconds"
  })
})
