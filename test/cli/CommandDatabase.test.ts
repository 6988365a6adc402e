import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { installedDirectory, newPostgresDatabase, temporaryDirectory } from "../support/Application.ts"
import { runHere } from "../support/CommandLine.ts"
import { asNextVersion } from "../support/NextVersion.ts"
import { connected, postgresDatabase } from "../support/Postgres.ts"
import { changeSqlite } from "../support/SqliteFile.ts"
import { slowly } from "../support/slowly.ts"

const file = "data/outreach-forecast.db"

const wordsOf = (line: string) => line.split(" ")

const owner = "--name Ada --email ada@example.com --company Example"

const reading = [
  "ledger verify",
  "keys list",
  "keys show nobody",
  "orders list",
  "orders show ord_none",
  "mails list",
  "mails show none",
  "credits usage",
  "why nobody"
]

const writing = [
  `keys issue ${owner}`,
  "keys revoke nobody",
  "keys erase nobody --yes",
  "credits grant nobody 5 --reason why",
  "credits adjust nobody 5 --reason why",
  "orders fulfil ord_none --reference x",
  "orders cancel ord_none",
  "mails retry none",
  "mails discard none"
]

const commands = [...reading, ...writing]

/** One that reads and one that writes: all open their database in the same two ways. */
const examples = ["keys list", "credits grant nobody 5 --reason why"]

/** The one that creates and migrates a database. */
const serving = "serve"

const change = (directory: string, ...statements: ReadonlyArray<string>) =>
  changeSqlite(`${directory}/${file}`, ...statements)

const newer = "INSERT INTO effect_sql_migrations (migration_id, name) VALUES (999, 'later')"
const older = "UPDATE effect_sql_migrations SET migration_id = migration_id - 5, name = 'erasable_texts'"
const unreleased = "INSERT INTO effect_sql_migrations (migration_id, name) VALUES (1, 'keys_and_credits')"

const olderMessage =
  "its schema is at migration 7, from before the first release. Run serve of commit fb6428b7 on it once, which brings it to migration 11; nothing was changed."
const unreleasedMessage =
  "its tables were created before the first release, and cannot be updated. Name a new database in DATABASE_URL, or start the version that created them."
const newerMessage = "its schema was created by a newer version of this service."

describe("a command", slowly, () => {
  it.live("creates no database, and names the file that it looked for", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      for (const command of [...commands, "database backup backup.db"]) {
        const { code, stderr, stdout } = yield* runHere(directory, wordsOf(command))
        assert.deepStrictEqual([command, code, stdout], [command, 1, ""])
        assert.include(stderr, `there is no such file: ${directory}/${file}. Only serve creates a database`)
      }
      assert.deepStrictEqual(readdirSync(directory), [])
      const inMemory = yield* runHere(directory, ["keys", "list"], { DATABASE_URL: "sqlite::memory:" })
      assert.strictEqual(inMemory.code, 1)
      assert.include(inMemory.stderr, "it exists only in the memory of the running service")
    })
  )

  it.live("creates no tables in a database that belongs to something else", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const url = yield* postgresDatabase
      changeSqlite(`${directory}/other.db`, "CREATE TABLE things (id INTEGER)")
      const before = readFileSync(`${directory}/other.db`)
      for (const DATABASE_URL of ["sqlite:other.db", url]) {
        for (const command of DATABASE_URL === url ? examples : commands) {
          const { code, stderr } = yield* runHere(directory, wordsOf(command), { DATABASE_URL })
          assert.deepStrictEqual([command, code], [command, 1])
          assert.include(stderr, "it has no tables of this service; only serve creates them.")
        }
      }
      assert.isTrue(before.equals(readFileSync(`${directory}/other.db`)))
      assert.deepStrictEqual(readdirSync(directory), ["other.db"])
      const tables = yield* connected(url, (sql) => sql`SELECT * FROM pg_tables WHERE schemaname = 'public'`)
      assert.deepStrictEqual(tables, [])
    })
  )

  it.live("leaves a database of another version unchanged, and says what to do", () =>
    Effect.gen(function* () {
      for (const [statement, message, migrations] of [
        [older, olderMessage, 2],
        [newer, newerMessage, 3],
        [unreleased, unreleasedMessage, 3]
      ] as const) {
        const directory = yield* installedDirectory
        change(directory, statement)
        const before = readFileSync(`${directory}/${file}`)
        const url = yield* newPostgresDatabase
        yield* connected(url, (sql) => sql.unsafe(statement))
        for (const env of [{}, { DATABASE_URL: url }]) {
          for (const command of [...examples, serving]) {
            const { code, stderr, stdout } = yield* runHere(directory, wordsOf(command), { PORT: "0", ...env })
            assert.deepStrictEqual([command, code, stdout], [command, 1, ""])
            assert.include(stderr, message)
          }
        }
        assert.isTrue(before.equals(readFileSync(`${directory}/${file}`)))
        const [row] = yield* connected(url, (sql) => sql`SELECT count(*)::int4 AS count FROM effect_sql_migrations`)
        assert.strictEqual(row?.["count"], migrations)
      }
    })
  )

  it.live("of the next version leaves a database of this one unchanged, and says what to do", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const before = readFileSync(`${directory}/${file}`)
      for (const env of [{}, { DATABASE_URL: yield* newPostgresDatabase }]) {
        for (const command of examples) {
          const { code, stderr, stdout } = yield* asNextVersion()(runHere(directory, wordsOf(command), env))
          assert.deepStrictEqual([command, code, stdout], [command, 1, ""])
          assert.match(stderr, /it has \d+ of \d+ migrations; start the service first: only serve migrates\./)
        }
      }
      assert.isTrue(before.equals(readFileSync(`${directory}/${file}`)))
    })
  )

  it.live("that only reads changes no byte of the file, and leaves no other file next to it", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      yield* runHere(directory, wordsOf(`keys issue ${owner}`))
      const before = readFileSync(`${directory}/${file}`)
      for (const command of reading) yield* runHere(directory, wordsOf(command))
      yield* runHere(directory, ["doctor"], { PORT: "1" })
      assert.isTrue(before.equals(readFileSync(`${directory}/${file}`)))
      assert.deepStrictEqual(readdirSync(`${directory}/data`), ["outreach-forecast.db"])
    })
  )

  it.live("prints no part of a password with an unescaped @, and says how to escape it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const env = { DATABASE_URL: "postgres://user:secret@canary/of@127.0.0.1:1/db" }
      for (const command of ["keys list", "config check", "serve", "doctor", "database backup x.db"]) {
        const { code, stderr, stdout } = yield* runHere(directory, wordsOf(command), env)
        assert.strictEqual(code, 1)
        assert.match(stdout + stderr, /the\s+password\s+written\s+as\s+%40/)
        assert.notInclude(stdout + stderr, "canary")
      }
    })
  )

  it.live("names the database on standard error if DATABASE_URL is not set", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const name = `Database: ${directory}/${file}; DATABASE_URL is not set.\n`
      const listed = yield* runHere(directory, ["keys", "list", "--json"])
      assert.deepStrictEqual([listed.code, listed.stdout, listed.stderr], [0, "[]\n", name])
      const backup = yield* runHere(directory, ["database", "backup", "backup.db"])
      assert.deepStrictEqual([backup.code, backup.stderr], [0, name])
      const set = yield* runHere(directory, ["keys", "list", "--json"], { DATABASE_URL: `sqlite:${file}` })
      assert.deepStrictEqual([set.code, set.stdout, set.stderr], [0, "[]\n", ""])
    })
  )
})
