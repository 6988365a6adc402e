import type { Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Assumptions } from "../../src/campaign/Assumptions.ts"
import type { PaidRequest } from "../../src/metering/Operations.ts"
import type { Payments } from "../../src/orders/payments/Payments.ts"
import type { Action, Known } from "./Action.ts"
import type { Outside } from "./Outside.ts"
import type { Steps, Task } from "./Steps.ts"

/** An operation with one answer for one credit, which callers request at random. */
export interface Requested {
  /** Its method and path in the Idempotency-Keys of the simulation. */
  readonly operation: string
  /** A request about a campaign; if `isQuick`, one that waits for no worker. */
  readonly requestOf: (asked: Assumptions, isQuick: boolean) => PaidRequest
}

/** An action that is drawn at random. */
export interface Drawn {
  /** Its weight among the others: those of the service itself have 75 together. */
  readonly weight: number
  /** The action, perhaps with a secret that someone knows; undefined if nobody can perform it. */
  readonly action: (known: Known | undefined) => Action | undefined
}

/** The part of an extension in one simulation. It remembers what it needs to know. */
export interface Part {
  readonly requested?: ReadonlyArray<Requested>
  readonly drawn?: ReadonlyArray<Drawn>
  /** The payments of a provider; by default the operator confirms them. */
  readonly payments?: Layer.Layer<Payments>
  /** Notes and checks what a task has just committed. */
  readonly committed?: (task: Task) => Effect.Effect<void, SqlError.SqlError>
  /** The actions at the end, one after another, while nothing else runs. */
  readonly last?: () => ReadonlyArray<Action>
}

/** The surroundings of a part. */
interface Stage {
  readonly outside: Outside
  readonly steps: Steps
  readonly sql: SqlClient.SqlClient
}

/** The additions of an extension to the simulation. */
export interface SimulatedExtension {
  /** Services of an instance that come with no extension, because only its routes need them. */
  readonly services?: Layer.Layer<never, unknown, unknown>
  /** Its part in a new simulation. */
  readonly part: (stage: Stage) => Part
}
