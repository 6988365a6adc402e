import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect } from "effect"
import { installedDirectory } from "../support/Application.ts"
import { runHere } from "../support/CommandLine.ts"
import { logLines, run, type Running, serve, stop, until } from "../support/Process.ts"
import { openSqlite } from "../support/SqliteFile.ts"

const day = 86_400_000

/** The variables that set the clock of a process this many days ahead. */
const ahead = (directory: string, days: number) => {
  const file = `${directory}/clock`
  writeFileSync(file, String(days * day))
  const clock = fileURLToPath(new URL("../../scripts/attack/clock.mjs", import.meta.url))
  return { NODE_OPTIONS: `--import=${clock}`, CLOCK_FILE: file, PORT: "0" }
}

/** Inserts rows that are due for deletion soon, of each kind that is deleted by age. */
const insertPassing = (directory: string, now: number) => {
  const database = openSqlite(`${directory}/data/outreach-forecast.db`)
  database.exec(`
    INSERT INTO mails (id, recipient, subject, text_body, html_body, state, attempts, next_attempt_at, created_at)
      VALUES ('m', 'a@example.com', 's', 't', 'h', 'sent', 1, 0, ${now});
    INSERT INTO api_keys VALUES ('k', 'n', 'e@x', 'c', 'active', 'usable', 0, 'p', 0, 'e@x');
    INSERT INTO key_secrets (hash, key_id, prefix, created_at, expires_at)
      VALUES ('in its grace period', 'k', 'ofk_test_aaaaaaaa', ${now}, ${now + day});
    INSERT INTO payment_events VALUES ('evt', ${now});`)
  database.close()
}

const passing = (directory: string) => {
  const database = openSqlite(`${directory}/data/outreach-forecast.db`)
  const left = database
    .prepare(
      `SELECT id FROM mails UNION ALL SELECT hash FROM key_secrets WHERE key_id = 'k'
       UNION ALL SELECT id FROM payment_events ORDER BY 1`
    )
    .all()
    .map((row) => row["id"])
  database.close()
  return left
}

const says = (message: string) => (server: Running) => logLines(server).find((line) => line["message"] === message)
const waits = says("nothing is deleted by age")
const purges = says("purged")

// They mostly wait for servers to start, each with its own.
describe.concurrent("a clock", () => {
  it.live("that is far ahead at startup deletes nothing by age until the operator trusts it", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const first = yield* serve(directory)
      yield* until(() => first.stdout().includes("listens on"))
      const now = yield* Clock.currentTimeMillis
      insertPassing(directory, now)
      yield* stop(first, "SIGTERM")
      assert.isUndefined(waits(first))

      // A restart does not make it more plausible.
      for (const attempt of [1, 2]) {
        const wrong = yield* serve(directory, ahead(directory, 100))
        yield* until(() => waits(wrong) !== undefined)
        assert.include(String(waits(wrong)?.["reason"]), "Correct it or, if it is right, run database trust-clock")
        const lastRun = DateTime.toEpochMillis(DateTime.makeUnsafe(String(waits(wrong)?.["last_run"])))
        assert.isBelow(Math.abs(lastRun - now), day)
        yield* until(() => says("ledger verified")(wrong) !== undefined)
        yield* stop(wrong, "SIGTERM")
        assert.isUndefined(purges(wrong), `attempt ${attempt}`)
        assert.deepStrictEqual(passing(directory), ["evt", "in its grace period", "m"])
      }

      // Once the clock is right, everything works as before.
      const right = yield* serve(directory)
      yield* until(() => says("ledger verified")(right) !== undefined)
      yield* stop(right, "SIGTERM")
      assert.isUndefined(waits(right))
      assert.deepStrictEqual(passing(directory), ["evt", "in its grace period", "m"])

      const doctor = yield* run(directory, ["doctor"], ahead(directory, 100))
      assert.match(doctor.stdout, /^wrong {3}clock [^]*Type: outreach-forecast database trust-clock/m)
      const trusted = yield* run(directory, ["database", "trust-clock", "--json"], ahead(directory, 100))
      assert.strictEqual(trusted.code, 0, trusted.stderr)
      assert.include(trusted.stdout, '"was_trusted": false')
      const healthy = yield* run(directory, ["doctor"], ahead(directory, 100))
      assert.match(healthy.stdout, /^ok {6}clock /m)
      const late = yield* serve(directory, ahead(directory, 100))
      yield* until(() => purges(late) !== undefined)
      yield* until(() => passing(directory).length === 0)
    })
  )

  it.live("that is a few hours ahead, or behind, is accepted", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      for (const days of [0, 0.9, -3]) {
        const server = yield* serve(directory, ahead(directory, days))
        yield* until(() => says("ledger verified")(server) !== undefined)
        yield* stop(server, "SIGTERM")
        assert.isUndefined(waits(server), `${days} days ahead`)
      }
      const again = yield* runHere(directory, ["database", "trust-clock"])
      assert.include(again.stdout, "The clock was already trusted.")
    })
  )
})
