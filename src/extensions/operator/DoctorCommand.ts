import { Effect, Result, Schema } from "effect"
import { Command } from "effect/cli"
import type { CommandDatabase } from "../../cli/CommandDatabase.ts"
import { inspect } from "../../database/Inspection.ts"
import { Settings } from "../../Settings.ts"
import * as checks from "./DoctorChecks.ts"
import { type Finding, showFindings, wrong } from "./DoctorChecks.ts"
import { columns } from "../../cli/Layout.ts"
import { json, print } from "../../cli/Printing.ts"
import { withProgress } from "../../cli/ProgressLine.ts"

/** Checks found and printed problems. */
class SomethingIsWrong extends Schema.TaggedError<SomethingIsWrong>()("SomethingIsWrong", {
  count: Schema.Int,
  checks: Schema.Int
}) {
  override get message() {
    return `${this.count} of ${this.checks} checks found a problem`
  }
}

type Opened = CommandDatabase<DoctorServices>["opened"]

/** The checks that need the services, and so a database of this version. */
const checkServices = Effect.all([checks.checkLedger, checks.checkMails, checks.checkOrders, checks.checkDisputes])

/** The services that the checks call. */
export type DoctorServices = Effect.Services<typeof checkServices>

const checkDatabase = Effect.fnUntraced(function* (settings: Settings["Service"], opened: Opened) {
  const inspected = yield* Effect.result(inspect(settings.database))
  if (Result.isFailure(inspected)) {
    const otherwise =
      settings.database.kind === "sqlite"
        ? "check that the file is there"
        : "check Postgres, or the pooler in front of it"
    const advice = `Unless this says what to do: the service creates a new database at its first start; otherwise ${otherwise}.`
    return [wrong("database", inspected.failure.message, advice)]
  }
  const found = checks.checkDatabase(inspected.success)
  const clock = yield* checks.checkClock(inspected.success)
  const isUsable = found[0]?.state === "ok"
  const strangers = checks.checkKeylessMails(inspected.success, settings)
  return [...found, clock, ...(isUsable ? [...(yield* Effect.provide(checkServices, opened)), strangers] : [])]
})

const examine = (opened: Opened) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    return [
      ...checks.checkSettings(settings),
      ...(yield* checkDatabase(settings, opened)),
      yield* checks.checkDelivery(settings),
      yield* checks.checkDescriptors(settings),
      yield* checks.checkServer(settings)
    ]
  }).pipe(
    Effect.provide(Settings.layer),
    Effect.catchTag("InvalidSettings", ({ problems }) =>
      Effect.succeed(
        problems.map((problem): Finding =>
          wrong("settings", problem, "Correct the variable, then check again.", ["doctor"])
        )
      )
    )
  )

/** `doctor`: runs every check that an operator would. */
export const doctorCommand = ({ opened }: CommandDatabase<DoctorServices>) =>
  Command.make(
    "doctor",
    { json },
    Effect.fnUntraced(function* ({ json }) {
      const findings = yield* withProgress(examine(opened))
      const count = findings.filter(({ state }) => state === "wrong").length
      yield* print(json, { wrong: count, findings }, showFindings(findings, yield* columns))
      if (count > 0) return yield* new SomethingIsWrong({ count, checks: findings.length })
    })
  ).pipe(
    Command.withDescription(
      [
        "Run every check that an operator would: settings, database and disk, ledger, emails, orders, disputes, mail server, open files,",
        "clock and the running server. Reports problems and what to do, changes nothing, and exits with status 1 if there is a problem."
      ].join(" ")
    )
  )
