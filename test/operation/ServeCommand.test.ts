import { existsSync, mkdirSync, statSync } from "node:fs"
import { connect } from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import {
  configuredStores,
  installedDirectory,
  newPostgresDatabase,
  temporaryDirectory
} from "../support/Application.ts"
import { issueHere, runHere } from "../support/CommandLine.ts"
import { serveHere } from "../support/Http.ts"
import { connected } from "../support/Postgres.ts"
import { adminOf, logLines, serve, type Serving, stop, until, untilFound, untilPrinted } from "../support/Process.ts"
import { forecastFrom, jsonOf, sendTo } from "../support/Requests.ts"
import { curl, hasCurl } from "../support/Runners.ts"
import { sample } from "../support/Samples.ts"
import { smtpServer } from "../support/Smtp.ts"
import { changeSqlite, openSqlite, rowsOfSqlite } from "../support/SqliteFile.ts"
import { slowly } from "../support/slowly.ts"

const path = "/api/v1/forecast"
const body = JSON.stringify(sample)

/** A raw connection to a server. */
const dial = ({ port }: Serving) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly write: (text: string) => void; readonly read: (end: RegExp) => Effect.Effect<string> }>(
      (resume) => {
        const socket = connect(port, "127.0.0.1", () => resume(Effect.succeed({ write, read })))
        let text = ""
        socket.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk
        })
        socket.on("error", () => {})
        const write = (more: string) => {
          socket.write(more)
        }
        const read = (end: RegExp) =>
          Effect.callback<string>((resume) => {
            const look = () => {
              if (end.test(text)) resume(Effect.succeed(text))
            }
            socket.on("data", look)
            socket.on("close", () => resume(Effect.succeed(text)))
            look()
          })
        return Effect.sync(() => socket.destroy())
      }
    ),
    () => Effect.void
  )

const later = "INSERT INTO effect_sql_migrations (migration_id, name) VALUES (999, 'later')"

/** A change to the tables by a newer version, which the statements of a running service no longer fit. */
const laterOnSqlite = Effect.map(temporaryDirectory, (directory) => ({
  url: `sqlite:${directory}/test.db`,
  begin: Effect.sync(() =>
    changeSqlite(
      `${directory}/test.db`,
      `BEGIN IMMEDIATE; ${later};
         CREATE TRIGGER later BEFORE INSERT ON credit_ledger BEGIN SELECT RAISE(ABORT, 'later'); END; COMMIT`
    )
  )
}))

const laterOnPostgres = Effect.map(newPostgresDatabase, (url) => ({
  url,
  begin: connected(url, (sql) =>
    sql.withTransaction(Effect.andThen(sql.unsafe(later), sql`ALTER TABLE credit_ledger RENAME COLUMN delta TO change`))
  )
}))

/** The server that most tests ask, its folder, and another one there, which answers for a minute after SIGTERM. */
class Shared extends Context.Service<
  Shared,
  { readonly directory: string; readonly server: Serving; readonly second: Serving }
>()("test/ServeCommand/Shared") {
  static readonly layer = Layer.effect(
    Shared,
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const server = yield* serve(directory)
      return { directory, server, second: yield* serve(directory, { DRAIN_SECONDS: "60", ADMIN_PORT: "0" }) }
    })
  )
}

describe("serve", slowly, () => {
  layer(Shared.layer, { excludeTestServices: true })((it) => {
    // The first one, because it sees how many credits are left.
    it.effect.skipIf(!hasCurl)("prints its address, the demo key and a curl command that works as printed", () =>
      Effect.gen(function* () {
        const { directory, server } = yield* Shared
        yield* untilPrinted(server, "}'")
        const text = server.stdout()
        assert.include(text, `listens on ${server.url}`)
        assert.include(text, "database  data/outreach-forecast.db")
        assert.include(text, "demo key  demo")
        assert.include(text, "emails    files in data/mail")
        const command = /curl [\s\S]*}'/.exec(text)?.[0] ?? ""
        const forecast: unknown = JSON.parse(yield* curl(command, directory))
        const figures = { estimated_clients: 3.75, roi_multiple: 15.6, performance_grade: "strong" }
        assert.containSubset(forecast, { ...figures, usage: { requests: 1, credits_remaining: 99 } })
      })
    )

    it.effect("writes one JSON line per request, without the key, and one about a proxy that it does not trust", () =>
      Effect.gen(function* () {
        const { directory, server } = yield* Shared
        const { secret } = yield* issueHere(directory)
        const forwarded = { "x-forwarded-for": "203.0.113.7" }
        yield* forecastFrom(server.url, secret, { "x-request-id": "first", ...forwarded })
        yield* forecastFrom(server.url, `${secret}x`, { "x-request-id": "second", ...forwarded })
        yield* Effect.promise(() => fetch(`${server.url}/unknown/${secret}`))
        yield* Effect.promise(() => fetch(`${server.url}/livez?token=${secret}`))
        /** The messages that it logged of these four; a probe is not logged. */
        const logged = Effect.sync(() =>
          logLines(server).filter(
            ({ code, key, message }) => message === "request" && (key === secret.slice(0, 17) || code === "not_found")
          )
        )
        const requests = yield* untilFound(logged, ({ length }) => length === 3)
        const [listening, ...others] = logLines(server)
        assert.include(listening, { level: "info", message: "listening", url: server.url })
        assert.deepStrictEqual(
          requests.map(({ key, method, route, status }) => [method, route, status, key]),
          [
            ["POST", path, 200, secret.slice(0, 17)],
            ["POST", path, 401, secret.slice(0, 17)],
            ["GET", undefined, 404, undefined]
          ]
        )
        assert.deepStrictEqual(
          requests.map(({ client, code }) => [code, client]),
          [
            [undefined, undefined],
            ["invalid_key", "127.0.0.0/24"],
            ["not_found", "127.0.0.0/24"]
          ]
        )
        assert.strictEqual(requests[0]?.["request_id"], "first")
        for (const { ms, time } of requests) {
          assert.isNumber(ms)
          assert.match(String(time), /^\d{4}-\d\d-\d\dT.*Z$/)
        }
        assert.notInclude(server.stdout() + server.stderr(), secret)
        const warnings = others.filter(({ message }) => message === "configuration warning")
        assert.lengthOf(warnings, 1)
        assert.include(String(warnings[0]?.["reason"]), "X-Forwarded-For")
      })
    )

    it.effect("says at startup, and not as a warning, that another process has its SQLite file open", () =>
      Effect.gen(function* () {
        const { directory, second, server: first } = yield* Shared
        const notes = (server: Serving) => logLines(server).filter(({ message }) => message === "database shared")
        yield* until(() => notes(second).length === 1)
        assert.deepInclude(notes(second)[0], { level: "info", database: "data/outreach-forecast.db" })
        assert.include(String(notes(second)[0]?.["reason"]), "They share it safely")
        assert.lengthOf(notes(first), 0)

        // A command says by itself what it may not do to a file in use.
        const from = `sqlite:${yield* installedDirectory}/data/outreach-forecast.db`
        const copy = yield* runHere(directory, ["database", "copy", "--from", from])
        assert.include(copy.stderr, "is not empty, and nothing was written")
        assert.notInclude(copy.stderr, "in use")
      })
    )

    it.effect("reports problems with its configuration, port and database, and exits with status 1", () =>
      Effect.gen(function* () {
        const { directory, server } = yield* Shared
        const wrong = yield* runHere(directory, ["serve"], { PORT: "web", LOG_LEVEL: "loud" })
        assert.strictEqual(wrong.code, 1)
        assert.include(wrong.stderr, "PORT must be an integer from 0 to 65535")
        assert.include(wrong.stderr, "LOG_LEVEL must be one of")
        const content = () =>
          ["api_keys", "key_secrets", "credit_ledger", "audit_log"].map((table) =>
            rowsOfSqlite(`${directory}/data/outreach-forecast.db`, `SELECT * FROM ${table}`)
          )
        const before = content()
        const port = String(server.port)
        for (const env of [{ PORT: port }, { PORT: "0", ADMIN_PORT: port }]) {
          const taken = yield* runHere(directory, ["serve"], { ...env, DEMO_KEY: "other", DEMO_CREDITS: "5" })
          assert.strictEqual(taken.code, 1)
          assert.include(taken.stderr, "EADDRINUSE")
          assert.include(taken.stderr, `set ${Object.keys(env).at(-1)} to another port`)
          assert.deepStrictEqual(content(), before)
        }
        const elsewhere = yield* runHere(directory, ["serve"], { PORT: "0", HOST: "192.0.2.1", DEMO_KEY: "secret" })
        assert.include(elsewhere.stderr, "EADDRNOTAVAIL")
        assert.include(elsewhere.stderr, "Set HOST to an address of this machine")
        const nowhere = yield* runHere(directory, ["serve"], { PORT: "0", DATABASE_URL: "sqlite:/dev/null/test.db" })
        assert.strictEqual(nowhere.code, 1)
        assert.include(nowhere.stderr, "/dev/null/test.db")
      })
    )

    it.effect(
      "refuses a database that is a folder or no regular file, as each command does, and leaves it as it is",
      () =>
        Effect.gen(function* () {
          const directory = yield* temporaryDirectory
          mkdirSync(`${directory}/store`, { mode: 0o755 })
          mkdirSync(`${directory}/data/outreach-forecast.db`, { recursive: true })
          const isFolder = (folder: string) =>
            `DATABASE_URL must name a file, but ${folder} is a folder; name a file in it, such as sqlite:${folder}/outreach-forecast.db`
          for (const args of [
            ["serve"],
            ["config", "check"],
            ["doctor"],
            ["keys", "list"],
            ["database", "restore", "x"]
          ]) {
            for (const [env, reason] of [
              [{ DATABASE_URL: "sqlite:store" }, isFolder("store")],
              [{}, isFolder("data/outreach-forecast.db")],
              [{ DATABASE_URL: "sqlite:new/" }, "DATABASE_URL must name a file, but new/ is a folder"],
              [
                { DATABASE_URL: "sqlite:/dev/null" },
                "DATABASE_URL must name a file, but /dev/null is not a regular file"
              ]
            ] as const) {
              const { code, stderr, stdout } = yield* runHere(directory, args, { PORT: "0", ...env })
              assert.strictEqual(code, 1)
              assert.include(`${stdout}${stderr}`.replaceAll(/\s+/g, " "), reason, args.join(" "))
            }
          }
          assert.strictEqual(statSync(`${directory}/store`).mode & 0o777, 0o755)
          assert.isFalse(existsSync(`${directory}/new`))
        })
    )

    it.effect("on SIGTERM is not ready, and keeps answering for DRAIN_SECONDS", () =>
      Effect.gen(function* () {
        const { second: server } = yield* Shared
        const admin = adminOf(server)
        server.process.kill("SIGTERM")
        for (const url of [server.url, admin]) {
          yield* untilFound(
            Effect.promise(() => fetch(`${url}/readyz`)),
            ({ status }) => status === 503
          )
        }
        const response = yield* forecastFrom(server.url, "demo")
        assert.strictEqual(response.status, 200)
        assert.strictEqual(response.headers.get("connection"), "close")
        assert.strictEqual((yield* Effect.promise(() => fetch(`${server.url}/livez`))).status, 200)
      })
    )

    // The last one, because it stops the server.
    it.effect("opens no debugger on SIGUSR1, and keeps answering", () =>
      Effect.gen(function* () {
        const { server } = yield* Shared
        server.process.kill("SIGUSR1")
        assert.strictEqual((yield* forecastFrom(server.url, "demo")).status, 200)
        assert.strictEqual((yield* stop(server, "SIGTERM")).code, 0)
        assert.notInclude(server.stderr(), "Debugger")
      })
    )
  })

  it.live(
    "on SIGTERM completes requests in flight, answers its operator, refuses others, and exits with status 0",
    () =>
      Effect.gen(function* () {
        const server = yield* serve(yield* temporaryDirectory, { ADMIN_PORT: "0" })
        const admin = adminOf(server)
        const inFlight = yield* dial(server)
        const half = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: demo\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`
        inFlight.write(half)
        const idle = yield* dial(server)
        idle.write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        yield* idle.read(/"ok"/)
        server.process.kill("SIGTERM")
        yield* untilFound(
          Effect.promise(() => fetch(`${server.url}/readyz`)),
          ({ status }) => status === 503
        )

        for (const path of ["/readyz", "/api/v1/forecast", "/nope"]) {
          const refused = yield* Effect.promise(() => fetch(`${server.url}${path}`))
          assert.strictEqual(refused.status, 503)
          assert.strictEqual(refused.headers.get("connection"), "close")
          assert.include(yield* Effect.promise(() => refused.text()), '"code":"unavailable"')
        }
        const ready = yield* Effect.promise(() => fetch(`${admin}/readyz`))
        assert.strictEqual(ready.status, 503)
        assert.deepInclude(yield* Effect.promise(() => ready.json()), { draining: true, database: "ok" })
        assert.strictEqual((yield* Effect.promise(() => fetch(`${admin}/livez`))).status, 200)
        inFlight.write(body.slice(20))
        const response = yield* inFlight.read(/credits_remaining":\d+}}$/)
        assert.match(response, /^HTTP\/1\.1 200 OK\r\n/)
        assert.match(response, /connection: close/i)
        assert.strictEqual(yield* Effect.promise(() => server.exit), 0)
      })
  )

  it.live("on SIGTERM waits for the response to an email, and so does not send it again after a restart", () =>
    Effect.gen(function* () {
      const smtp = yield* smtpServer
      const directory = yield* temporaryDirectory
      let accept = () => {}
      smtp.behaviours.push({
        hold: (it) => {
          accept = it
        }
      })
      const server = yield* serve(directory, { MAIL_URL: smtp.url })
      const owner = JSON.stringify({ name: "Ada", email: "ada@example.com", company: "Example" })
      const headers = { "content-type": "application/json" }
      yield* sendTo(server.url, "/api/v1/access-requests", { method: "POST", headers, body: owner })
      yield* until(() => smtp.messages.length === 1)
      server.process.kill("SIGTERM")
      yield* untilFound(
        Effect.promise(() =>
          fetch(`${server.url}/nope`).then(
            ({ status }) => status,
            () => 503
          )
        ),
        (status) => status === 503
      )
      accept()
      assert.strictEqual(yield* Effect.promise(() => server.exit), 0)
      const { stdout } = yield* runHere(directory, ["mails", "list", "--state", "sent"], {})
      assert.include(stdout, "ada@example.com")
    })
  )

  it.live("in production reports why it cannot start in one JSON line, including invalid settings", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const production = { APP_ENV: "production", PUBLIC_URL: "https://forecast.example", PORT: "0", LOG_LEVEL: "none" }
      for (const [env, reason] of [
        [{ PORT: "web", MAIL_URL: "canary" }, "PORT must be an integer from 0 to 65535"],
        [{ DATABASE_URL: "sqlite:/dev/null/test.db" }, "/dev/null/test.db"]
      ] as const) {
        const failed = yield* runHere(directory, ["serve"], { ...production, ...env })
        assert.strictEqual(failed.code, 1)
        const [line, ...others] = failed.stderr.trimEnd().split("\n")
        assert.deepStrictEqual(others, [])
        const { level, message, reason: found } = jsonOf(line ?? "")
        assert.deepStrictEqual([level, message], ["error", "service failed"])
        assert.include(String(found), reason)
        assert.notInclude(failed.stderr, "canary")
      }
    })
  )

  it.live(
    "on SIGTERM under load answers what it charged, and has logged each charge, even of disconnected clients",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const server = yield* serve(directory, { DEMO_CREDITS: "1000000" })
        const { id, secret } = yield* issueHere(directory)
        let answered = 0
        const caller = async () => {
          for (;;) {
            const response = await fetch(`${server.url}${path}`, {
              method: "POST",
              headers: { "x-api-key": "demo", "content-type": "application/json" },
              body
            }).catch(() => undefined)
            // On a busy machine a caller may find its connection closed, or the process gone.
            if (response === undefined) return
            await response.text()
            if (response.status !== 200) return assert.strictEqual(response.status, 503)
            answered++
          }
        }
        const callers = Promise.all(Array.from({ length: 20 }, caller))
        const request = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
        for (let i = 0; i < 30; i++) {
          const socket = connect(server.port, "127.0.0.1")
          socket.on("error", () => {})
          socket.write(request)
          yield* Effect.sleep(`${i % 6} millis`)
          socket.destroy()
        }
        // One stays connected, however slow the machine is.
        assert.strictEqual((yield* forecastFrom(server.url, secret)).status, 200)
        yield* until(() => answered > 100)
        const { code } = yield* stop(server, "SIGTERM")
        yield* Effect.promise(() => callers)
        assert.strictEqual(code, 0)
        const charged = rowsOfSqlite(
          `${directory}/data/outreach-forecast.db`,
          "SELECT reference, key_id FROM credit_ledger WHERE kind = 'forecast'"
        )
        assert.lengthOf(
          charged.filter(({ key_id }) => key_id !== id),
          answered
        )
        const logged = logLines(server).flatMap(({ charge }) => (charge === undefined ? [] : [charge]))
        const references = charged.map(({ reference }) => String(reference))
        assert.deepStrictEqual(logged.map(String).toSorted(), references.toSorted())
      })
  )

  it.live("answers 503 once a newer version has migrated its database, and logs what to do", () =>
    Effect.gen(function* () {
      for (const { begin, url } of [yield* laterOnSqlite, yield* laterOnPostgres]) {
        const server = yield* serveHere({ DATABASE_URL: url }, Layer.orDie(configuredStores))
        assert.strictEqual((yield* forecastFrom(server.url, "demo")).status, 200)
        yield* begin
        for (let i = 0; i < 3; i++) {
          const response = yield* forecastFrom(server.url, "demo")
          assert.deepStrictEqual([response.status, response.json["code"]], [503, "unavailable"])
        }
        // Then no statement is run for anything else either.
        const usage = yield* Effect.promise(() =>
          fetch(`${server.url}/api/v1/usage`, { headers: { "x-api-key": "demo" } })
        )
        assert.strictEqual(usage.status, 503)
        assert.include(server.log(), '"fault": "newer"')
        assert.include(
          server.log(),
          "its schema was created by a newer version of this service. Start that version, or restore a backup"
        )
      }
    })
  )
})

// These mostly wait for timeouts, each with servers of its own.
describe.concurrent("serve, while others make it wait,", slowly, () => {
  it.live("exits within 10 seconds, even if clients keep connections or requests open", () =>
    Effect.gen(function* () {
      const [patient, hasty] = yield* Effect.all([serve(yield* temporaryDirectory), serve(yield* temporaryDirectory)], {
        concurrency: 2
      })
      const neverWhole = yield* dial(patient)
      neverWhole.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: demo\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{`
      )
      const onlyHeaders = yield* dial(hasty)
      onlyHeaders.write("GET /livez HTTP/1.1\r\nHost: x\r\n")
      // This response comes after everything that was written before.
      for (const { url } of [patient, hasty]) yield* Effect.promise(() => fetch(`${url}/livez`))
      const ends: Array<readonly [string, number | string]> = []
      const ended = (name: string) =>
        Effect.map(({ code }: { readonly code: number | string }) => ends.push([name, code]))
      const [toSlow, toQuick] = yield* Effect.all(
        [
          neverWhole.read(/^HTTP/),
          onlyHeaders.read(/^HTTP/),
          ended("patient")(stop(patient, "SIGTERM")),
          ended("hasty")(stop(hasty, "SIGINT"))
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(ends, [
        ["hasty", 0],
        ["patient", 0]
      ])
      // Without the limit: 408, after the 10 seconds allowed for headers, and the 15 for a body.
      for (const text of [toSlow, toQuick]) assert.notMatch(text, /^HTTP\/1\.1 408/)
    })
  )

  it.live("stays alive while another process locks the database, and charges nothing for refused requests", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const server = yield* serve(directory)
      const other = openSqlite(`${directory}/data/outreach-forecast.db`)
      other.exec("BEGIN IMMEDIATE")
      let answered = 0
      const waiting = Effect.all(
        Array.from({ length: 10 }, () =>
          Effect.tap(forecastFrom(server.url, "demo"), () => Effect.sync(() => answered++))
        ),
        { concurrency: 10 }
      )
      const fiber = yield* Effect.forkChild(waiting)
      assert.strictEqual((yield* Effect.promise(() => fetch(`${server.url}/livez`))).status, 200)
      // A service that blocks its event loop for the database would have refused a forecast by now.
      assert.strictEqual(answered, 0)
      const refused = yield* Fiber.join(fiber)
      assert.deepStrictEqual(new Set(refused.map(({ status }) => status)), new Set([503]))
      other.exec("ROLLBACK")
      other.close()
      assert.include((yield* forecastFrom(server.url, "demo")).json["usage"], { requests: 1, credits_remaining: 99 })
      const errors = () => logLines(server).filter(({ message, status }) => message === "request" && status === 503)
      // Those of one client are summed up in a line a second.
      yield* until(() => errors().reduce((sum, { count = 1 }) => sum + Number(count), 0) === 10)
      for (const line of errors()) assert.include(line, { level: "error", code: "unavailable", client: "127.0.0.0/24" })
    })
  )
})
