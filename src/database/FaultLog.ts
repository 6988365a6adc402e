import { Clock, Context, Effect, Layer } from "effect"
import { makeRepeatedFailure } from "../RepeatedFailure.ts"
import type { DatabaseFault } from "./DatabaseFault.ts"
import type { DatabaseUnavailable } from "./Failures.ts"

interface FaultNotes {
  /** Logs a failure, or counts it where one with the same fault was logged in the minute before. */
  readonly note: (failure: DatabaseUnavailable) => Effect.Effect<void>
  /** When the last failure was noted, in nanoseconds of the monotonic clock. */
  readonly lastAt: () => bigint | undefined
  /** Whether damage was found: it does not heal by itself. */
  readonly isDamaged: () => boolean
}

const make = (): FaultNotes => {
  const notes = new Map<DatabaseFault, ReturnType<typeof makeRepeatedFailure>>()
  let lastAt: bigint | undefined
  return {
    lastAt: () => lastAt,
    note: Effect.fnUntraced(function* ({ cause, fault, message }: DatabaseUnavailable) {
      lastAt = yield* Clock.monotonicTimeNanos
      const failed = notes.get(fault) ?? makeRepeatedFailure()
      notes.set(fault, failed)
      const reason = cause === undefined ? {} : { reason: cause.message }
      yield* failed((count) => Effect.annotateLogs(Effect.logError(message), { fault, count, ...reason }))
    }),
    isDamaged: () => notes.has("damaged")
  }
}

/** Failures of the database: each kind of fault is logged at once, and then once a minute with its count. */
export const FaultLog = Context.Reference<FaultNotes>("outreach-forecast/database/FaultLog", { defaultValue: make })

/** A log for one application. */
export const faultLogLayer = Layer.effect(FaultLog, Effect.sync(make))
