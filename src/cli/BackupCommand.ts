import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Application from "../Application.ts"
import { LedgerAudit } from "../credits/audit/LedgerAudit.ts"
import { backup } from "../database/Backup.ts"
import { databaseName } from "../settings/DatabaseSettings.ts"
import { Settings } from "../Settings.ts"
import { LedgerIsWrong, showReport } from "./LedgerCommand.ts"
import { fields, json, print } from "./Printing.ts"
import { orUserError, Refused } from "./UserFailures.ts"

/** `database backup`: a copy of the SQLite file of a running service, looked through. */
export const backupCommand = Command.make(
  "backup",
  {
    file: Argument.String("file").pipe(Argument.withDescription("The file to write, which must not be there yet")),
    json
  },
  Effect.fnUntraced(
    function* ({ file, json }) {
      const { database } = yield* Settings
      if (database.kind === "postgres") {
        return yield* new Refused({
          message: `${databaseName(database)} is on Postgres. Make its backups with pg_dump, as in: pg_dump --format=custom --file=${file} "$DATABASE_URL"`
        })
      }
      const { bytes, report, rows } = yield* backup(database.file, file, (client) =>
        Effect.flatMap(LedgerAudit, ({ verify }) => verify(Effect.yieldNow)).pipe(
          Effect.provide(Application.ledgerAuditOver(client))
        )
      )
      const shown = { file, bytes, rows }
      const ledger = showReport(report)
      yield* print(json, { ...shown, ledger: ledger.json }, `${fields(shown)}\n\n${ledger.text}`)
      if (report.faultCount > 0) return yield* new LedgerIsWrong({ faults: report.faultCount })
    },
    Effect.provide(Settings.layer),
    orUserError
  )
).pipe(
  Command.withDescription(
    [
      "Write the SQLite database into a new file, all of it as it is at one instant, while the service goes on; and check",
      "that file: its pages, its indexes and the ledger in it. Ends with 0 where all is well. A file that is broken is",
      "deleted; one in which the ledger is wrong is kept, and the command ends with 1."
    ].join(" ")
  )
)
