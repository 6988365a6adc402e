import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import * as Application from "../Application.ts"
import type { LedgerReport } from "../credits/audit/LedgerAudit.ts"
import { backup, type Migrated, restore } from "../database/Backup.ts"
import { databaseName } from "../settings/DatabaseSettings.ts"
import { Settings } from "../Settings.ts"
import { nameDatabase } from "../cli/CommandDatabase.ts"
import { LedgerIsWrong, showBalances } from "../credits/LedgerCommand.ts"
import { fields, json, print } from "../cli/Printing.ts"
import { withProgress } from "../cli/ProgressLine.ts"
import { InvalidInvocation } from "../cli/UserFailures.ts"

/** The result of checking the ledger of a copy, as JSON and as text. */
const showLedger = ({ applied, known }: Migrated, report: Option.Option<LedgerReport>) =>
  Option.match(report, {
    onNone: () => ({
      json: null,
      text: `The ledger was not checked: the backup has ${applied} of ${known} migrations, the tables of an older version.`
    }),
    onSome: showBalances
  })

/** The configured SQLite file. Fails for Postgres, with what to do `instead`. */
const sqliteFile = Effect.fnUntraced(function* (instead: string) {
  const { database } = yield* Settings
  yield* nameDatabase
  if (database.kind === "sqlite") return database.file
  return yield* new InvalidInvocation({ message: `${databaseName(database)} is on Postgres. ${instead}` })
})

/** `database backup`: a verified copy of the SQLite file of a running service. */
export const backupCommand = Command.make(
  "backup",
  {
    file: Argument.String("file").pipe(Argument.withDescription("The file to write, which must not exist yet")),
    json
  },
  Effect.fnUntraced(function* ({ file, json }) {
    const database = yield* sqliteFile(
      `Back it up with pg_dump, for example: pg_dump --format=custom --file=${file} "$DATABASE_URL"`
    )
    const { bytes, migrations, report, rows } = yield* withProgress(backup(database, file, Application.verifyBalances))
    const shown = { file, bytes, rows }
    const ledger = showLedger(migrations, report)
    yield* print(json, { ...shown, migrations, ledger: ledger.json }, `${fields(shown)}\n\n${ledger.text}`)
    const faults = Option.match(report, { onNone: () => 0, onSome: ({ faultCount }) => faultCount })
    if (faults > 0) return yield* new LedgerIsWrong({ faults })
  }, Effect.provide(Settings.layer))
).pipe(
  Command.withDescription(
    [
      "Write a consistent snapshot of the SQLite database to a new file while the service runs, and verify the file: its",
      "pages, its indexes, and for each key its balance, its last ledger entry and its usage; ledger verify checks all",
      "entries. Exits with status 0 if all is well. A corrupt file is deleted; a file whose ledger is wrong is kept, and the",
      "command exits with status 1. The ledger of an older version is not checked."
    ].join(" ")
  )
)

/** `database restore`: replaces the SQLite file of a stopped service with a backup. */
export const restoreCommand = Command.make(
  "restore",
  {
    file: Argument.String("file").pipe(Argument.withDescription("The backup, which is not changed")),
    json
  },
  Effect.fnUntraced(function* ({ file, json }) {
    const database = yield* sqliteFile(
      `Restore it with pg_restore into an empty database, for example: pg_restore --no-owner --exit-on-error --single-transaction --dbname="$DATABASE_URL" ${file}`
    )
    if (database === ":memory:") {
      return yield* new InvalidInvocation({ message: "A database in memory cannot be restored; name a file" })
    }
    const { bytes, migrations, report, room, rows } = yield* withProgress(
      restore(
        file,
        database,
        Effect.tap(Application.verifyBalances, ({ faultCount }) =>
          faultCount > 0 ? new LedgerIsWrong({ faults: faultCount }) : Effect.void
        )
      )
    )
    const shown = { from: file, database, bytes, rows, set_aside: room.join(", ") }
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
