import { Context, Effect, Layer } from "effect"
import { MemoryLedger } from "../Ledger.ts"
import { checkMemory } from "./checkMemory.ts"
import type { KeyCheck } from "./KeyCheck.ts"
import type { LedgerFault } from "./LedgerFault.ts"

/** How far the ledger has been checked: first key by key, and then entry by entry. */
export type AuditPosition =
  | {
      readonly by: "key"
      /** The checks that go on, of keys up to `afterKey`. */
      readonly checks: ReadonlyArray<KeyCheck>
      readonly afterKey: string
    }
  | { readonly by: "entry"; readonly afterId: number }

/** The position before the first key. */
export const beginning: AuditPosition = { by: "key", checks: [], afterKey: "" }

/**
 * The result of a step: how many keys with a balance and how many of the entries that lead to them were checked whole, and
 * how many entries were read for it. `next` is undefined at the end of the ledger.
 */
export interface Checked {
  readonly keys: number
  readonly entries: number
  readonly read: number
  readonly faults: ReadonlyArray<LedgerFault>
  readonly next: AuditPosition | undefined
}

/** Checks the ledger where it is stored. */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    /**
     * Reads about `limit` entries after a position; the last step also checks that references are unique. Of each key,
     * balance, months and last entry are read at one instant, and what is behind that entry never changes, so concurrent
     * debits are never reported as faults.
     */
    readonly check: (from: AuditPosition, limit: number) => Effect.Effect<Checked>
    /** How many entries are read in all. */
    readonly size: Effect.Effect<number>
  }
>()("outreach-forecast/credits/AuditStore") {
  /** Checks everything in one step. */
  static readonly layerMemory = Layer.effect(
    AuditStore,
    Effect.map(MemoryLedger, (ledger) =>
      AuditStore.of({
        check: () => Effect.sync(() => ({ ...checkMemory(ledger), read: ledger.entries.size, next: undefined })),
        size: Effect.sync(() => ledger.entries.size)
      })
    )
  ).pipe(Layer.provide(MemoryLedger.layer))
}
