import { connect } from "node:net"
import { PgClient, PgTypes } from "@effect/sql-pg"
import { Effect, Layer, Option, Redacted, Result, Schedule, Schema } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { makeRepeatedFailure } from "../observability/BackgroundJob.ts"
import { databaseName, hostOf, type PostgresSettings } from "../settings/DatabaseSettings.ts"
import { DatabaseUnusable, explain, isAway, isParameterRefused } from "./Failures.ts"
import {
  assertCurrent,
  assertInstalled,
  assertNotNewer,
  isReadOnly,
  migrations,
  type AccessMode
} from "./Migrations.ts"
import { columnNames, valuesOf } from "./Statements.ts"

/** Reads 64-bit integers as numbers; an inexact one is an error rather than rounded. */
const integers: PgTypes.Codec<number> = {
  encode: (value) => {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
    return Result.succeed(bytes)
  },
  decode: (bytes) => {
    const value = Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(0))
    return Number.isSafeInteger(value)
      ? Result.succeed(value)
      : Result.fail(new PgTypes.CodecError({ message: "An integer is too large for a number" }))
  }
}

const types = PgTypes.makeRegistry()
types.register(PgTypes.OID.int8, integers, { arrayOid: PgTypes.OID.int8Array })

/** The advisory lock that instances take while they migrate: an arbitrary number, the same for all of them. */
const migrationLock = 7_304_128_915

/** Runs the migrations, or waits until another instance has run them. */
const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(
    Effect.andThen(sql`SELECT pg_advisory_xact_lock(${migrationLock})`, Migrator.make({})({ loader: migrations }))
  )
})

/** Fails with DatabaseUnusable unless a commit is on disk before the server confirms it. */
const assertDurability = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const name of ["fsync", "synchronous_commit"]) {
    const [value = "off"] = yield* valuesOf(Schema.String, sql`SELECT current_setting(${name})`)
    if (value === "off") {
      return yield* new DatabaseUnusable({ reason: `Postgres has ${name} = off, so that committed data may be lost` })
    }
  }
})

/** The address of the server in a URL. */
const addressOf = (text: string) => {
  const url = new URL(text)
  const host = hostOf(url)
  const number = Number(url.searchParams.get("port") ?? (url.port || 5432))
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${number}` } : { host: host || "localhost", port: number }
}

/** The name of connections of services and commands, except of a copy, in the server's list. */
export const applicationName = "outreach-forecast"

/** The time beyond that of the longest statement that a connection may stay silent, in milliseconds. */
const gracePeriod = 1000

/**
 * Opens a connection with an idle timeout somewhat longer than the statement timeout. Postgres enforces the statement
 * timeout itself, but cannot do so when it hangs or the network fails. Unused connections are closed by it too.
 */
const openSocket = (url: string, statementTimeout: number) => () => {
  const socket = connect({
    ...addressOf(url),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 10_000,
    timeout: statementTimeout + gracePeriod
  })
  socket.on("error", () => {})
  return socket.on("timeout", () => socket.destroy(new Error("Postgres does not answer")))
}

/** A startup parameter without a meaning to Postgres: only a connection without a pooler has it. */
const directness = "outreach_forecast.connection"

/** True if the connections of a client go through a pooler. */
const isPooled = Effect.map(
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    valuesOf(Schema.NullOr(Schema.String), sql`SELECT nullif(current_setting(${directness}, true), '')`)
  ),
  ([value = null]) => value === null
)

/** Fails with DatabaseUnusable behind a pooler, whose open connections look like those of a running service. */
const assertDirect = Effect.gen(function* () {
  if (yield* isPooled) {
    return yield* new DatabaseUnusable({
      reason: "a pooler is in front of it, so nobody can tell whether it is in use. Give the address of Postgres itself"
    })
  }
})

/**
 * True if Postgres ends statements and transactions that take too long. Connections ask for this when they start, but a
 * pooler does not pass it on.
 */
export const hasTimeouts = Effect.map(
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    valuesOf(
      Schema.Boolean,
      sql`
        SELECT bool_and(setting <> '0') FROM pg_settings
        WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout')`
    )
  ),
  ([found = false]) => found
)

/** The advice if Postgres has no timeouts. */
export const timeoutAdvice =
  "Set both for the role in DATABASE_URL: ALTER ROLE name SET statement_timeout = '10s', and the same for idle_in_transaction_session_timeout."

const warnWithoutTimeouts = Effect.gen(function* () {
  if (yield* hasTimeouts) return
  const reason = `A pooler is in front of Postgres, which does not end what takes too long. ${timeoutAdvice}`
  yield* Effect.annotateLogs(Effect.logWarning("no timeouts in the database"), { reason })
})

/** Prepares the database for an access mode. Fails with DatabaseUnusable if it is unsuitable. */
const prepare = (mode: AccessMode) => {
  switch (mode) {
    case "serve":
      return Effect.all([assertDurability, assertNotNewer, migrate, warnWithoutTimeouts], { discard: true })
    case "change":
      return Effect.all([assertDurability, assertCurrent], { discard: true })
    case "read":
      return assertCurrent
    case "move":
      return Effect.all([assertDirect, assertCurrent], { discard: true })
    case "inspect":
      return assertInstalled
  }
}

/**
 * A pooler may give each transaction another connection to Postgres: nothing may be left there for the next one, so
 * statements are not kept prepared. It also refuses or ignores the startup parameters.
 */
const client = (
  { certificates, connectTimeout, poolSize, statementTimeout, url }: PostgresSettings,
  mode: AccessMode,
  isPooled: boolean
) =>
  PgClient.layer({
    ...columnNames,
    url,
    maxConnections: poolSize,
    connectTimeout,
    stream: openSocket(Redacted.value(url), statementTimeout),
    applicationName: mode === "move" ? `${applicationName} copy` : applicationName,
    ...(isPooled
      ? { prepare: false }
      : {
          startupParameters: {
            timezone: "UTC",
            default_transaction_read_only: isReadOnly(mode) ? "on" : "off",
            statement_timeout: String(statementTimeout),
            idle_in_transaction_session_timeout: String(statementTimeout),
            [directness]: "direct"
          }
        }),
    types,
    ...(Option.isSome(certificates) && { ssl: { ca: certificates.value } })
  })

/** The client of a server, or of a pooler in front of it. */
const connection = (database: PostgresSettings, mode: AccessMode) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const direct = yield* Layer.build(client(database, mode, false))
      const hasPooler = yield* isPooled.pipe(
        Effect.provide(direct),
        Effect.catchIf(isParameterRefused, () => Effect.succeed(true))
      )
      return hasPooler ? yield* Layer.build(client(database, mode, true)) : direct
    })
  )

/**
 * Waits until the server accepts connections, and logs the reason: a service that starts with its machine may be up
 * before Postgres. Failures that waiting cannot fix, such as a wrong password, are left to the next connection attempt.
 */
export const awaitServer = (database: PostgresSettings) =>
  Effect.suspend(() => {
    const failed = makeRepeatedFailure()
    return Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1`).pipe(
      Effect.provide(Layer.fresh(connection(database, "serve"))),
      Effect.scoped,
      Effect.tapError((error) =>
        isAway(error)
          ? failed(() =>
              Effect.annotateLogs(Effect.logWarning("waiting for the database"), {
                database: databaseName(database),
                reason: explain(error)
              })
            )
          : Effect.void
      ),
      Effect.retry({ while: isAway, schedule: Schedule.spaced("1 second") }),
      Effect.ignore
    )
  })

/** A SQL client on a server that is prepared for an access mode. */
export const layer = (database: PostgresSettings, mode: AccessMode) =>
  Layer.effectDiscard(prepare(mode)).pipe(Layer.provideMerge(connection(database, mode)))
