import { hash } from "node:crypto"
import { createServer } from "node:http"
import { readFileSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { keylessMails } from "../../../src/Limits.ts"
import { createDatabase, installedDirectory, temporaryDirectory } from "../../support/Application.ts"
import { issueHere, runHere } from "../../support/CommandLine.ts"
import { baseUrl, httpApplication } from "../../support/Http.ts"
import { asNextVersion } from "../../support/NextVersion.ts"
import { connected, postgresDatabase } from "../../support/Postgres.ts"
import { smtpServer } from "../../support/Smtp.ts"
import { changeSqlite } from "../../support/SqliteFile.ts"
import { listen } from "../../support/Sockets.ts"

const Report = Schema.fromJsonString(
  Schema.Struct({
    wrong: Schema.Int,
    findings: Schema.Array(
      Schema.Struct({
        about: Schema.String,
        state: Schema.Literals(["ok", "note", "wrong"]),
        found: Schema.String,
        advice: Schema.optionalKey(Schema.String),
        type: Schema.optionalKey(Schema.Array(Schema.String))
      })
    )
  })
)
const decode = Schema.decodeUnknownSync(Report)

const file = "data/outreach-forecast.db"
const nowhere = { PORT: "1" }

const installation = Effect.gen(function* () {
  const directory = yield* installedDirectory
  yield* issueHere(directory)
  return directory
})

const change = (directory: string, ...statements: ReadonlyArray<string>) =>
  changeSqlite(`${directory}/${file}`, ...statements)

/** The problems in doctor's JSON, after checking that its text reports them too. */
const wrongIn = Effect.fnUntraced(function* (directory: string, env: Readonly<Record<string, string>> = nowhere) {
  const { code, stderr, stdout } = yield* runHere(directory, ["doctor", "--json"], env)
  const { findings, wrong } = decode(stdout)
  const found = findings.filter(({ state }) => state === "wrong")
  assert.strictEqual(found.length, wrong)
  assert.strictEqual(code, wrong === 0 ? 0 : 1)
  assert.strictEqual(stderr, wrong === 0 ? "" : `${wrong} of ${findings.length} checks found a problem.\n`)
  for (const { advice } of found) assert.isString(advice)
  return found.map(({ about, found }) => `${about}: ${found}`)
})

/** The port of a server that answers every request with this status. */
const answering = (status: number) =>
  Effect.map(
    listen(createServer((_, response) => response.writeHead(status).end("draining"))),
    (url) => new URL(url).port
  )

const sendErased = `INSERT INTO mails (id, recipient, subject, text_body, html_body, state, attempts, next_attempt_at, created_at)
  VALUES ('2', 'nobody@erased.invalid', 's', 't', 'h', 'discarded', 0, 0, 0)`
const sendDead = `INSERT INTO mails (id, recipient, subject, text_body, html_body, state, attempts, next_attempt_at, created_at)
  VALUES ('1', 'Ada@example.com', 's', 't', 'h',`

describe("doctor", () => {
  it.live("finds no problem in a healthy installation, and checks the running server and the mail server", () =>
    Effect.gen(function* () {
      const directory = yield* installation
      const smtp = yield* smtpServer
      change(directory, sendErased)
      const url = yield* Effect.provide(baseUrl, yield* Layer.build(httpApplication()))
      const env = { PORT: new URL(url).port, MAIL_URL: smtp.url }
      assert.deepStrictEqual(yield* wrongIn(directory, env), [])
      const { stdout } = yield* runHere(directory, ["doctor"], env)
      for (const about of "settings database disk WAL clock ledger mails orders disputes strangers mail open server".split(
        " "
      )) {
        assert.match(stdout, new RegExp(`^ok {6}${about}`, "m"))
      }
      // Logging in does not show more, and an email would reach somebody.
      assert.match(stdout, /an\s+email\s+shows\s+whether\s+it\s+accepts\s+the\s+sender/)
      assert.strictEqual(smtp.messages.length, 0)
    })
  )

  it.live("reports problems and remedies, and exits with status 1", () =>
    Effect.gen(function* () {
      for (const [broken, message, env] of [
        [["UPDATE credit_balances SET balance = 99"], "ledger: 1 fault in 1 entry of 1 key"],
        [[`${sendDead} 'dead', 9, 0, 0)`], "mails: 1 email to customers could not be delivered"],
        [[`${sendDead} 'queued', 0, 0, 0)`], "mails: 1 email queued for more than an hour"],
        [
          [
            `INSERT INTO orders (id, name, email, company, pack, credits, amount, currency, method, state, created_at, due_at)
             VALUES ('ord_1', 'A', 'a@example.com', 'B', 'starter', 500, 1900, 'USD', 'manual', 'awaiting_payment', 0, 1)`
          ],
          "orders: 1 order overdue"
        ],
        [["INSERT INTO effect_sql_migrations (migration_id, name) VALUES (999, 'later')"], "database: A newer version"],
        [
          ["INSERT INTO effect_sql_migrations (migration_id, name) VALUES (1, 'keys_and_credits')"],
          "its tables were created before the first release"
        ],
        [
          ["UPDATE effect_sql_migrations SET migration_id = migration_id - 5, name = 'erasable_texts'"],
          "its schema is at migration 7, from before the first release. Run serve of commit fb6428b7 on it once"
        ],
        [
          ["DROP TRIGGER credit_ledger_no_update", "UPDATE credit_ledger SET created_at = 99999999999999"],
          "clock: It is 20"
        ],
        [
          ["DROP TRIGGER credit_ledger_no_update", "UPDATE credit_ledger SET created_at = created_at - 401 * 86400000"],
          ": the service deletes nothing by age"
        ],
        [[], "open files: A process may open", { MAX_CONNECTIONS: "1000000" }],
        [
          [],
          "mail: The server in MAIL_URL cannot be used: connect ECONNREFUSED",
          { MAIL_URL: "smtp://me:canary@127.0.0.1:1" }
        ],
        [[], "settings: MAIL_URL is not set", { APP_ENV: "production", PUBLIC_URL: "https://example.com" }],
        [[], "settings: APP_ENV must be set because others may reach the service at HOST=0.0.0.0", { HOST: "0.0.0.0" }],
        [[], "settings: TRUSTED_PROXY is set, but is not a setting", { TRUSTED_PROXY: "127.0.0.1" }]
      ] as const) {
        const directory = yield* installation
        change(directory, ...broken)
        const found = (yield* wrongIn(directory, { ...nowhere, ...env })).join("\n")
        assert.include(found, message)
        assert.notInclude(found, "canary")
      }
    })
  )

  it.live("only mentions undeliverable emails to people without a key", () =>
    Effect.gen(function* () {
      const directory = yield* installation
      change(
        directory,
        sendDead.replace("Ada@", "aad@") + " 'dead', 9, 0, 0)",
        "INSERT INTO api_keys VALUES ('key_aad', 'A', 'aad@example.com', 'B', 'active', 'unconfirmed', 0, '', 0, 'aad@example.com')"
      )
      assert.deepStrictEqual(yield* wrongIn(directory), [])
      const { stdout } = yield* runHere(directory, ["doctor"], nowhere)
      assert.match(stdout, /^note {4}mails {7}1 email to strangers could not be delivered$/m)
      // A paying customer is not a stranger, whatever happened to the key.
      change(
        directory,
        `INSERT INTO orders (id, name, email, company, pack, credits, amount, currency, method, state, reference, created_at,
           paid_at, fulfilled_at, due_at, mail_id, credited_key_id, mailbox)
         SELECT 'ord_1', 'A', 'aad@example.com', 'B', 'starter', 500, 1900, 'USD', 'manual', 'fulfilled', 'bank', 0,
           0, 0, 253402300799999, '1', id, 'aad@example.com' FROM api_keys WHERE state = 'usable'`
      )
      assert.deepStrictEqual(yield* wrongIn(directory), ["mails: 1 email to customers could not be delivered"])
      const discarded = yield* runHere(directory, ["mails", "discard", "1", "--json"])
      assert.include(discarded.stdout, '"state": "discarded"')
      assert.deepStrictEqual(yield* wrongIn(directory), [])
      assert.strictEqual((yield* runHere(directory, ["mails", "discard", "1"])).code, 0)
      yield* runHere(directory, ["mails", "retry", "1"])
      const queued = yield* runHere(directory, ["mails", "discard", "1"])
      assert.deepStrictEqual(
        [queued.code, queued.stderr.split("\n").at(-2)],
        [1, "The email 1 is queued; only a dead one can be discarded."]
      )
    })
  )

  it.live("mentions a flood of requests without a key, and reports one that shuts out newcomers", () =>
    Effect.gen(function* () {
      const directory = yield* installation
      const count = (name: string, requests: number) =>
        change(
          directory,
          `INSERT INTO request_counts VALUES ('${hash("sha256", name)}', ${requests}, ${Number.MAX_SAFE_INTEGER})`
        )
      const shown = Effect.map(runHere(directory, ["doctor"], nowhere), ({ stdout }) => stdout)
      count(keylessMails.further, 200)
      assert.match(yield* shown, /^ok {6}strangers {3}200 emails in this hour for requests without a key$/m)
      change(directory, "UPDATE request_counts SET requests = 201")
      assert.deepStrictEqual(yield* wrongIn(directory), [])
      assert.match(yield* shown, /^note {4}strangers {3}More than 200 emails within an hour/m)
      count(keylessMails.first, 1001)
      assert.match((yield* wrongIn(directory)).join(), /^strangers: More than 1000 networks asked for emails/)
      change(directory, "UPDATE request_counts SET expires_at = 1")
      assert.match(yield* shown, /^ok {6}strangers {3}0 emails/m)
    })
  )

  it.live("checks a running server's response", () =>
    Effect.gen(function* () {
      const directory = yield* installation
      const unready = yield* answering(503)
      assert.match((yield* wrongIn(directory, { PORT: unready })).join(), /^server: .*\/readyz returned 503: draining$/)
    })
  )

  it.live("creates and changes nothing, if the database is missing, damaged, foreign, or older", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      assert.match((yield* wrongIn(directory)).join(), /^database: .*there is no such file: /)
      const made = yield* installation
      const sound = readFileSync(`${made}/${file}`)
      assert.deepStrictEqual(yield* asNextVersion()(wrongIn(made)), [])
      assert.isTrue(sound.equals(readFileSync(`${made}/${file}`)))
      change(made, "UPDATE effect_sql_migrations SET migration_id = migration_id - 5")
      const older = readFileSync(`${made}/${file}`)
      assert.match((yield* wrongIn(made)).join(), /^database: .*commit fb6428b7/)
      assert.isTrue(older.equals(readFileSync(`${made}/${file}`)))
      // Pages from 3 on hold tables and indexes.
      const damaged = Buffer.from(sound)
      damaged.fill(0xa5, 3 * 4096 + 8, 3 * 4096 + 400)
      writeFileSync(`${made}/${file}`, damaged)
      assert.match((yield* wrongIn(made)).join(), /^database: /)
      writeFileSync(`${made}/${file}`, "this is no database, however long it is")
      assert.match((yield* wrongIn(made)).join(), /^database: .*cannot be used/)
      const settings = yield* wrongIn(made, { PORT: "x", APP_ENV: "prod" })
      assert.deepStrictEqual(
        settings.map((text) => text.split(" ").slice(0, 2).join(" ")),
        ["settings: APP_ENV", "settings: PORT"]
      )
    })
  )

  it.live("speaks of Postgres, and not of a file, if Postgres cannot be reached", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const env = { ...nowhere, DATABASE_URL: "postgres://user:password@127.0.0.1:1/name" }
      const { stdout } = yield* runHere(directory, ["doctor", "--json"], env)
      const advice = decode(stdout).findings.find(({ about }) => about === "database")?.advice ?? ""
      assert.include(advice, "check Postgres, or the pooler in front of it")
      assert.notInclude(advice, "file")
    })
  )

  it.live("checks a Postgres database", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const env = { ...nowhere, DATABASE_URL: yield* postgresDatabase }
      assert.match((yield* wrongIn(directory, env)).join(), /no tables of this service/)
      yield* createDatabase(env.DATABASE_URL)
      assert.deepStrictEqual(yield* wrongIn(directory, env), [])
      const { stdout } = yield* runHere(directory, ["doctor"], env)
      assert.match(
        stdout,
        /^ok {6}database {4}\d+ migrations;\s+Postgres\s+checks\s+its\s+pages\s+itself;\s+its\s+pages\s+and\s+its\s+disk\s+were\s+not\s+checked$/m
      )
      assert.notMatch(stdout, /sound|^\w+ +(?:disk|WAL) /m)

      const older = yield* asNextVersion()(runHere(directory, ["doctor"], env))
      assert.match(older.stdout, /^note {4}database {4}It has \d+ of \d+ migrations/m)
      const migrations = connected(env.DATABASE_URL, (sql) => sql`SELECT migration_id AS id FROM effect_sql_migrations`)
      assert.deepStrictEqual(yield* migrations, [{ id: 11 }, { id: 12 }])
      yield* connected(env.DATABASE_URL, (sql) => sql`UPDATE effect_sql_migrations SET migration_id = migration_id - 5`)
      assert.match((yield* wrongIn(directory, env)).join(), /^database: .*commit fb6428b7/)
    })
  )
})
