import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { restore } from "../database/Backup.ts"
import { databaseName } from "../settings/DatabaseSettings.ts"
import { Settings } from "../Settings.ts"
import { checkLedgerOf, showLedger } from "./BackupCommand.ts"
import { nameDatabase } from "../cli/CommandDatabase.ts"
import { LedgerIsWrong } from "../credits/LedgerCommand.ts"
import { fields, json, print } from "../cli/Printing.ts"
import { withProgress } from "../cli/ProgressLine.ts"
import { InvalidInvocation } from "../cli/UserFailures.ts"

/** `database restore`: replaces the SQLite file of a stopped service with a backup. */
export const restoreCommand = Command.make(
  "restore",
  {
    file: Argument.String("file").pipe(Argument.withDescription("The backup, which is not changed")),
    json
  },
  Effect.fnUntraced(function* ({ file, json }) {
    const { database } = yield* Settings
    yield* nameDatabase
    if (database.kind === "postgres") {
      return yield* new InvalidInvocation({
        message: `${databaseName(database)} is on Postgres. Restore it with pg_restore into an empty database, for example: pg_restore --no-owner --exit-on-error --single-transaction --dbname="$DATABASE_URL" ${file}`
      })
    }
    if (database.file === ":memory:") {
      return yield* new InvalidInvocation({ message: "A database in memory cannot be restored; name a file" })
    }
    const { bytes, migrations, report, room, rows } = yield* withProgress(
      restore(file, database.file, (client) =>
        Effect.tap(checkLedgerOf(client), ({ faultCount }) =>
          faultCount > 0 ? new LedgerIsWrong({ faults: faultCount }) : Effect.void
        )
      )
    )
    const shown = { from: file, database: database.file, bytes, rows, set_aside: room.join(", ") }
    const ledger = showLedger(migrations, report)
    const next = Option.isNone(report) ? "Start the service, which migrates it." : "Start the service."
    yield* print(
      json,
      { ...shown, set_aside: room, migrations, ledger: ledger.json },
      `${fields(shown)}\n\n${ledger.text}\n\n${next}`
    )
  }, Effect.provide(Settings.layer))
).pipe(
  Command.withDescription(
    [
      "Replace the SQLite database with a backup. Stop the service first: a database that is in use is refused. The",
      "backup is checked as by database backup, and the old files, including their write-ahead log, are set aside."
    ].join(" ")
  )
)
