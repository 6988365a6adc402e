import { Effect } from "effect"
import type { ProblemDocument } from "../problems/ProblemDocument.ts"

/** The codes of refusals that cost their senders nothing, and the service little until they come back at once. */
const delayed: ReadonlySet<string> = new Set(["invalid_key", "key_revoked", "rate_limited"])

/** A tenth of a second, always in real time: clients do not use the clock of a test. */
export const refusalDelay: Effect.Effect<void> = Effect.callback((resume) => {
  const timer = setTimeout(() => resume(Effect.void), 100)
  return Effect.sync(() => clearTimeout(timer))
})

/**
 * Holds back a refusal that costs its sender nothing, so that a client that sends its next request as soon as one is
 * refused gets ten a second over each connection.
 */
export const holdBack = ({ code }: Pick<ProblemDocument, "code">): Effect.Effect<void> =>
  delayed.has(code) ? refusalDelay : Effect.void
