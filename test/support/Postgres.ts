import { randomBytes } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { inject } from "vitest"
import { once } from "./once.ts"
import { startPostgres } from "./PostgresServer.ts"

/** The URL of the Postgres server that all tests of a run share; its role may create databases. */
const sharedServer = once(
  Effect.promise(async () => {
    const response = await fetch(inject("postgres"))
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  })
)

/** Runs a function with a connection that is closed afterwards. */
export const connected = <A, E>(url: string, use: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
  PgClient.makeClient({ url: Redacted.make(url) }).pipe(
    Effect.flatMap(use),
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    Effect.orDie
  )

/** Returns once at least this many connections to a database wait for a lock. */
export const untilWaiting = (url: string, least: number) =>
  connected(url, (sql) =>
    Effect.repeat(sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`, {
      until: (rows) => rows.length >= least
    })
  )

const urlOf = (server: string, name: string) => {
  const url = new URL(server)
  url.pathname = name
  return url.href
}

/** The connection of a worker that creates and drops databases, for all its files. It ends with the worker. */
const administrator = once(
  Effect.flatMap(sharedServer, (url) => PgClient.makeClient({ url: Redacted.make(url) })).pipe(
    Scope.provide(Scope.makeUnsafe()),
    Effect.provide(Reactivity.layer),
    Effect.orDie
  )
)

const makeCopy = Effect.fnUntraced(function* (template: string) {
  const sql = yield* administrator
  const name = `test_${randomBytes(8).toString("hex")}`
  yield* Effect.orDie(sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)} STRATEGY file_copy`)
  return { server: yield* sharedServer, name }
})

/** The URL of a new copy of a database, which is dropped at the end of the scope, even while in use. */
const copyOf = (template: string) =>
  Effect.acquireRelease(makeCopy(template), ({ name }) =>
    Effect.flatMap(administrator, (sql) => Effect.orDie(sql`DROP DATABASE ${sql(name)} WITH (FORCE)`))
  ).pipe(Effect.map(({ name, server }) => urlOf(server, name)))

/** The URL of a new, empty Postgres database, which is dropped at the end of the scope. */
export const postgresDatabase = copyOf("template0")

/**
 * Like `postgresDatabase`, after `prepare`, which runs once: the others are copies of its database. That one is deleted
 * with the server.
 */
export const makePreparedDatabase = (prepare: (url: string) => Effect.Effect<unknown>) => {
  const template = once(
    Effect.gen(function* () {
      const { name, server } = yield* makeCopy("template0")
      yield* prepare(urlOf(server, name))
      return name
    })
  )
  return Effect.flatMap(template, copyOf)
}

/** A separate Postgres server, to kill and restart; it is stopped and its data deleted at the end of the scope. */
export const postgresServer = Effect.acquireRelease(
  Effect.promise(() => startPostgres()),
  ({ stop }) => Effect.promise(() => stop())
)
