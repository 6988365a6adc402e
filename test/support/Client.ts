import { inspect } from "node:util"
import { assert } from "@effect/vitest"
import { Effect } from "effect"

/** The error that a promise rejects with. */
export const failureOf = (promise: Promise<unknown>): Effect.Effect<Error> =>
  Effect.promise(() =>
    promise.then(
      () => assert.fail("It did not fail"),
      (error: unknown) => (error instanceof Error ? error : assert.fail(`It threw ${String(error)}`))
    )
  )

/** Everything that a log could show about a value. */
export const inspectAll = (value: object): string =>
  [inspect(value, { depth: Infinity, showHidden: true }), JSON.stringify(value)].join("\n")
