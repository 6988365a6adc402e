import { connect } from "node:net"
import { PgClient, PgTypes } from "@effect/sql-pg"
import { Effect, Layer, Option, Redacted, Result } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import type { PostgresSettings } from "../settings/DatabaseSettings.ts"
import { DatabaseUnusable } from "./Failures.ts"
import { assertInstalled, migrations } from "./Migrations.ts"

/** Integers of 64 bits as numbers; one that no number can hold is refused rather than rounded. */
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

/** What the whole service does not start at the same time as another instance of it: any number, the same for all. */
const migrationLock = 7_304_128_915

/** Makes the tables, or waits until another instance has made them. */
const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(
    Effect.andThen(sql`SELECT pg_advisory_xact_lock(${migrationLock})`, Migrator.make({})({ loader: migrations }))
  )
})

/** Every commit is on disk before it is answered, whatever the server's default is. */
const assertDurability = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const name of ["fsync", "synchronous_commit"]) {
    const [row] = yield* sql<{ readonly value: string }>`SELECT current_setting(${name}) AS value`
    if (row === undefined || row.value === "off") {
      return yield* new DatabaseUnusable({ reason: `Postgres has ${name} = off, so that what is answered may be lost` })
    }
  }
})

/** Where the server of a URL listens; a host that is a folder has its Unix socket. */
const addressOf = (url: string) => {
  const { hostname, port, searchParams } = new URL(url)
  const host = searchParams.get("host") ?? decodeURIComponent(hostname.replaceAll(/[[\]]/g, ""))
  const number = Number(searchParams.get("port") ?? (port || 5432))
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${number}` } : { host: host || "localhost", port: number }
}

/** How much longer a connection may be silent than a statement may run, in milliseconds. */
const slack = 1000

/**
 * A connection that ends itself when it is silent for longer than a statement may run. Postgres ends statements by
 * itself, but not when it hangs, or the network does. A connection that nobody uses ends in the same way.
 */
const openSocket = (url: string, statementTimeout: number) => () => {
  const socket = connect({
    ...addressOf(url),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 10_000,
    timeout: statementTimeout + slack
  })
  socket.on("error", () => {})
  return socket.on("timeout", () => socket.destroy(new Error("Postgres does not answer")))
}

/** The SQL client on a server, its migrations done; where it may not be new, some of them were done before. */
export const layer = (
  { certificates, connectTimeout, poolSize, statementTimeout, url }: PostgresSettings,
  mayBeNew = true
) =>
  Layer.effectDiscard(Effect.all([assertDurability, mayBeNew ? Effect.void : assertInstalled, migrate])).pipe(
    Layer.provideMerge(
      PgClient.layer({
        url,
        maxConnections: poolSize,
        connectTimeout,
        stream: openSocket(Redacted.value(url), statementTimeout),
        applicationName: "outreach-forecast",
        startupParameters: {
          timezone: "UTC",
          statement_timeout: String(statementTimeout),
          idle_in_transaction_session_timeout: String(statementTimeout)
        },
        types,
        ...(Option.isSome(certificates) && { ssl: { ca: certificates.value } })
      })
    )
  )
