import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { LedgerAudit, type LedgerReport } from "./audit/LedgerAudit.ts"
import type { CommandDatabase } from "../cli/CommandDatabase.ts"
import { fields, json, print, table } from "../cli/Printing.ts"
import { withProgress } from "../cli/ProgressLine.ts"
import { counted } from "../text/Figures.ts"

/** The audit found and printed faults. */
export class LedgerIsWrong extends Schema.TaggedError<LedgerIsWrong>()("LedgerIsWrong", { faults: Schema.Int }) {
  override get message() {
    return `The ledger is wrong: ${counted(this.faults, "fault")}. Stop the service and keep a copy of the database before you repair it`
  }
}

const show = (counts: Readonly<Record<string, number>>, { faultCount, faults, millis }: LedgerReport) => {
  const shown = { ...counts, ms: millis, faults: faultCount }
  const rows = faults.map(({ expected, found, keyId, what }) => ({ key_id: keyId, what, expected, found }))
  const more = faultCount > rows.length ? `\n… and ${faultCount - rows.length} more` : ""
  return {
    json: { ...shown, first_faults: rows },
    text: faultCount === 0 ? fields(shown) : `${fields(shown)}\n\n${table(rows)}${more}`
  }
}

/** A report as JSON and as text. */
export const showReport = (report: LedgerReport) => show({ keys: report.keys, entries: report.entries }, report)

/** The same of an audit that checked balances only. */
export const showBalances = (report: LedgerReport) => show({ keys: report.keys }, report)

const verify = Command.make(
  "verify",
  { json },
  Effect.fnUntraced(function* ({ json }) {
    const ledgerAudit = yield* LedgerAudit
    const report = yield* withProgress(ledgerAudit.verify)
    const shown = showReport(report)
    yield* print(json, shown.json, shown.text)
    if (report.faultCount > 0) return yield* new LedgerIsWrong({ faults: report.faultCount })
  })
).pipe(
  Command.withDescription(
    "Verify the whole ledger. Prints a summary and exits with status 0, or lists the faults and exits with status 1."
  )
)

/** `ledger`: the audit of all credits. */
export const ledgerCommand = ({ reads }: CommandDatabase<LedgerAudit>) =>
  Command.make("ledger").pipe(
    Command.withDescription("Verify that all credits are accounted for."),
    Command.withSubcommands([reads(verify)])
  )
