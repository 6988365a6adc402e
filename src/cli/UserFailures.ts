import { Effect } from "effect"
import { CliError } from "effect/cli"

/** Shows a command's failures to its user as a message, and ends the process with 1. */
export const orUserError = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, CliError.UserError, R> =>
  Effect.mapError(effect, (cause) => new CliError.UserError({ cause }))
