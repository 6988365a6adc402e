import { Context, Effect, Option, Schema, Stream } from "effect"
import { WorkProgress } from "../../observability/WorkProgress.ts"

const Value = Schema.Union([Schema.String, Schema.Number])

/** An error in the records of a key's credits. In a damaged database there may be no key with the ID `keyId`. */
export const LedgerFault = Schema.Struct({ keyId: Schema.String, what: Schema.String, expected: Value, found: Value })
export type LedgerFault = typeof LedgerFault.Type

/** The numbers of checked keys and entries, the milliseconds that it took, the number of faults, and the first of them. */
export const LedgerReport = Schema.Struct({
  keys: Schema.Int,
  entries: Schema.Int,
  millis: Schema.Number,
  faultCount: Schema.Int,
  faults: Schema.Array(LedgerFault)
})
export type LedgerReport = typeof LedgerReport.Type

/**
 * An audit on its way: of the entries after `since`, and so of the whole ledger if that is 0. It checks one key after
 * another, and then one entry after another: `keysTo` and `entriesTo` are the last ones checked, and none once all are.
 */
export const Audit = Schema.Struct({
  ...LedgerReport.fields,
  since: Schema.Int,
  keysTo: Schema.NullOr(Schema.String),
  entriesTo: Schema.NullOr(Schema.Int)
})
export type Audit = typeof Audit.Type

/** An audit of the entries after one, before its first piece. */
export const auditSince = (since: number): Audit => ({
  since,
  keysTo: "",
  entriesTo: since,
  keys: 0,
  entries: 0,
  millis: 0,
  faultCount: 0,
  faults: []
})

/** The whole audit, which alone finds an entry that was changed after it was audited. */
export const wholeAudit = auditSince(0)

/** The audit of no entry: of the balance and the last entry of each key. */
export const auditOfBalances = auditSince(Number.MAX_SAFE_INTEGER)

/** The pieces of an audit, each of which `advance` checks when it is asked for. */
export const piecesBy =
  <R>(advance: (audit: Audit) => Effect.Effect<Audit, never, R>) =>
  (audit: Audit): Stream.Stream<Audit, never, R> =>
    Stream.unfold(
      audit,
      Effect.fnUntraced(function* (last: Audit) {
        if (last.entriesTo === null) return undefined
        const next = yield* advance(last)
        return [next, next] as const
      })
    )

/** Runs an audit to its end, without a pause. */
export const runAudit = <R>(pieces: (audit: Audit) => Stream.Stream<Audit, never, R>, audit: Audit) =>
  Effect.gen(function* () {
    const { report } = yield* WorkProgress
    report({ work: "Checking the ledger" })
    const last: LedgerReport = Option.getOrElse(yield* Stream.runLast(pieces(audit)), () => audit)
    return last
  })

/**
 * Checks that all credits are accounted for. For every key: the balance is the sum of its ledger, `balance_after` of
 * each entry is the sum up to it and never below 0, the granted credits are the sum of all entries except forecasts, a
 * forecast entry takes 1 credit or more, each month has as many requests as credits were taken, and every entry leads
 * to the balance of its key. No two entries have the same reference.
 */
export class LedgerAudit extends Context.Service<
  LedgerAudit,
  {
    /**
     * An audit from where it is, in pieces that read for a fraction of a second each, on a snapshot of their own: what
     * was charged meanwhile is in the snapshot of a later piece, or of none.
     */
    readonly pieces: (audit: Audit) => Stream.Stream<Audit>
    /** Checks the whole ledger at once. */
    readonly verify: Effect.Effect<LedgerReport>
  }
>()("outreach-forecast/credits/LedgerAudit") {
  static readonly make = (pieces: (audit: Audit) => Stream.Stream<Audit>) =>
    LedgerAudit.of({ pieces, verify: runAudit(pieces, wholeAudit) })
}
