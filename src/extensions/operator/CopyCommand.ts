import { Effect, FileSystem, Layer, Option, Path, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import type { LedgerReport } from "../../credits/audit/LedgerAudit.ts"
import { awaitUnused, type TableComparison, compareTables, copyTables, move, verifyLedger } from "./Copy.ts"
import { connect } from "../../database/Database.ts"
import type { AccessMode } from "../../database/Migrations.ts"
import * as Logging from "../../observability/Logging.ts"
import {
  databaseFrom,
  databaseName,
  type DatabaseSettings,
  withLongTimeouts,
  postgresForm
} from "../../settings/DatabaseSettings.ts"
import { Settings } from "../../Settings.ts"
import { LedgerIsWrong, showReport } from "../../credits/LedgerCommand.ts"
import { fields, json, print, table } from "../../cli/Printing.ts"
import { withProgress } from "../../cli/ProgressLine.ts"
import { InvalidInvocation, withLine } from "../../cli/UserFailures.ts"

/** The copy differs from the original, as printed; it was rolled back. */
class CopyIsWrong extends Schema.TaggedError<CopyIsWrong>()("CopyIsWrong", { target: Schema.String }) {
  override get message() {
    return `The copy differs from the original. It was rolled back: ${this.target} is empty`
  }
}

/** Parses the URL of a database. No message quotes it, because it may contain a password. */
const parse = (name: string, url: Redacted.Redacted) =>
  Option.match(databaseFrom(url), {
    onNone: () => new InvalidInvocation({ message: `${name} must be sqlite:PATH or ${postgresForm}` }),
    onSome: Effect.succeed
  })

const sourceOf = Effect.fnUntraced(function* (url: Option.Option<Redacted.Redacted>, file: Option.Option<string>) {
  const files = yield* FileSystem.FileSystem
  if (Option.isSome(url) && Option.isNone(file)) return yield* parse("--from", url.value)
  if (Option.isNone(url) && Option.isSome(file)) {
    return yield* parse("The URL in --from-file", Redacted.make((yield* files.readFileString(file.value)).trim()))
  }
  return yield* new InvalidInvocation({
    message: withLine("Name the database to copy: --from URL, or --from-file FILE.", [
      "database",
      "copy",
      "--from",
      "sqlite:data/outreach-forecast.db",
      "--to",
      "sqlite:data/copy.db"
    ])
  })
})

/** Identifies a database's location in any spelling. */
const placeOf = Effect.fnUntraced(function* (database: DatabaseSettings) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (database.kind === "postgres") return databaseName(database)
  return yield* files.realPath(database.file).pipe(Effect.orElseSucceed(() => path.resolve(database.file)))
})

const assertCopyable = Effect.fnUntraced(function* (source: DatabaseSettings, target: DatabaseSettings) {
  if ((yield* placeOf(source)) === (yield* placeOf(target))) {
    return yield* new InvalidInvocation({
      message: `${databaseName(source)} cannot be copied to itself; name the target with --to or DATABASE_URL`
    })
  }
  if (target.kind === "sqlite" && target.file === ":memory:") {
    return yield* new InvalidInvocation({ message: "A copy in memory would be lost immediately; name a file" })
  }
})

/** A client of a database; closed with the scope. */
const open = (database: DatabaseSettings, mode: AccessMode) => Layer.build(connect(withLongTimeouts(database), mode))

/** The result of a copy. */
interface Outcome {
  readonly tables: ReadonlyArray<TableComparison>
  readonly before: LedgerReport
  readonly after: LedgerReport
}

const line = (ledger: string, { entries, faultCount, keys, millis }: LedgerReport) => ({
  ledger,
  keys,
  entries,
  faults: faultCount,
  ms: millis
})

const show = (isJson: boolean, names: { from: string; to: string }, { after, before, tables }: Outcome) =>
  print(
    isJson,
    {
      ...names,
      tables: tables.map(({ isSame, rows, table }) => ({ table, rows, same: isSame })),
      source: showReport(before).json,
      target: showReport(after).json
    },
    [
      fields(names),
      table(tables.map(({ isSame, rows, table }) => ({ table, rows, same: isSame ? "yes" : "no" }))),
      table([line("source", before), line("target", after)]),
      ...(after.faultCount === 0 ? [] : [showReport(after).text])
    ].join("\n\n")
  )

/** `database copy`: moves an installation to another database. */
export const copyCommand = Command.make(
  "copy",
  {
    from: Flag.Redacted("from").pipe(
      Flag.withDescription("The database to copy: sqlite:PATH or postgres://user:password@host:5432/name"),
      Flag.optional
    ),
    fromFile: Flag.String("from-file").pipe(
      Flag.withDescription(
        "A file with that URL: a password on the command line is visible to other users of the machine"
      ),
      Flag.optional
    ),
    to: Flag.Redacted("to").pipe(
      Flag.withDescription("The empty database to fill; defaults to the one in DATABASE_URL or DATABASE_URL_FILE"),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(
    function* ({ from: fromUrl, fromFile, json, to: toUrl }) {
      const settings = yield* Settings
      const from = yield* sourceOf(fromUrl, fromFile)
      const to = Option.isSome(toUrl) ? yield* parse("--to", toUrl.value) : settings.database
      yield* assertCopyable(from, to)
      const source = yield* open(from, "move")
      yield* awaitUnused(source)
      const target = yield* open(to, "serve")
      const names = { from: databaseName(from), to: databaseName(to) }

      const outcome = yield* Effect.gen(function* () {
        const before = yield* Effect.provideContext(verifyLedger, source)
        if (before.faultCount > 0) {
          const report = showReport(before)
          yield* print(json, report.json, report.text)
          return yield* new LedgerIsWrong({ faults: before.faultCount })
        }
        const contents = yield* copyTables(source, target)
        // The copy is compared before it is committed, so that a wrong one is never visible.
        const tables = yield* compareTables(target, contents)
        const outcome: Outcome = {
          tables,
          before,
          after: yield* Effect.provideContext(verifyLedger, target)
        }
        if (outcome.after.faultCount === 0 && tables.every(({ isSame }) => isSame)) return outcome
        yield* show(json, names, outcome)
        return yield* new CopyIsWrong({ target: names.to })
      }).pipe(move(source, target), withProgress)
      yield* show(json, names, outcome)
    },
    Effect.scoped,
    Effect.provide(Logging.layer.pipe(Layer.provideMerge(Settings.layer)))
  )
).pipe(
  Command.withDescription(
    [
      "Copy an installation into an empty database: from SQLite to Postgres, or back. Stop the service first: a source that",
      "is in use is refused. The ledger is verified on both sides and every table is compared; if anything",
      "is wrong, or if the command is killed, the target stays empty. Rate limits start from zero."
    ].join(" ")
  )
)
