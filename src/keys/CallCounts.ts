import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"

/** The calls with a key on a UTC day that had the same outcome. */
export interface CallCount {
  /** The displayable part of the key, which may no longer exist, or may never have existed. */
  readonly prefix: string
  /** Like 2026-11-23. */
  readonly day: string
  /** The code of the problem; empty if they succeeded. */
  readonly code: string
  readonly calls: number
  /** The time of the last one, in milliseconds UTC, and its request ID. */
  readonly lastAt: number
  readonly lastRequestId: string
}

/** The number of days that counts are kept. */
export const keptDays = 30

/** Stores the outcomes of calls with each key, by day. */
export class CallCounts extends Context.Service<
  CallCounts,
  {
    /** Adds to the stored counts. */
    readonly add: (counts: ReadonlyArray<CallCount>) => Effect.Effect<void>
    /** The counts of keys with these prefixes, the latest calls first. */
    readonly of: (prefixes: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<CallCount>>
    /** The count whose last call is this request. */
    readonly findRequest: (requestId: string) => Effect.Effect<Option.Option<CallCount>>
  }
>()("outreach-forecast/keys/CallCounts") {
  static readonly layerMemory = Layer.effect(
    CallCounts,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const rows = tables.table<CallCount>("call_counts")
      return CallCounts.of({
        add: (counts) =>
          Effect.sync(() => {
            for (const count of counts) {
              const id = [count.prefix, count.day, count.code].join(" ")
              rows.set(id, sum(count, rows.get(id)))
            }
          }),
        of: (prefixes) =>
          Effect.sync(() =>
            [...rows.values()]
              .filter(({ prefix }) => prefixes.includes(prefix))
              .toSorted((a, b) => b.lastAt - a.lastAt || (a.code < b.code ? -1 : 1))
          ),
        findRequest: (requestId) =>
          Effect.sync(() =>
            Option.fromUndefinedOr([...rows.values()].find(({ lastRequestId }) => lastRequestId === requestId))
          )
      })
    })
  )
}

/** Adds a count to an earlier one of the same key, day and code. */
export const sum = (count: CallCount, before: CallCount | undefined): CallCount => {
  if (before === undefined) return count
  const { lastAt, lastRequestId } = count.lastAt < before.lastAt ? before : count
  return { ...count, calls: before.calls + count.calls, lastAt, lastRequestId }
}
