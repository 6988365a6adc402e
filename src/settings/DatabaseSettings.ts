import { Effect, FileSystem, Option, Redacted } from "effect"
import { isLoopback } from "./Listening.ts"
import { fileContent, integer, isPercentEncoded, orElse, passwordForm, report, secret } from "./Variable.ts"

/** A SQLite file, or `:memory:`. */
export interface SqliteSettings {
  readonly kind: "sqlite"
  readonly file: string
}

/** A Postgres server: the URL with its password, and how connections to it are made. Times are in milliseconds. */
export interface PostgresSettings {
  readonly kind: "postgres"
  readonly url: Redacted.Redacted
  /** The most open connections. */
  readonly poolSize: number
  readonly connectTimeout: number
  readonly statementTimeout: number
  /** The root certificates in PEM for the server's certificate; with them, TLS is required. */
  readonly certificates: Option.Option<string>
}

export type DatabaseSettings = SqliteSettings | PostgresSettings

/** The database if DATABASE_URL is not set. */
export const defaultDatabase: SqliteSettings = { kind: "sqlite", file: "data/outreach-forecast.db" }
const poolDefaults = { poolSize: 10, connectTimeout: 5000, statementTimeout: 10_000 }

/** The same database with long timeouts, for statements that read whole tables. */
export const withLongTimeouts = (database: DatabaseSettings): DatabaseSettings =>
  database.kind === "postgres" ? { ...database, statementTimeout: 3_600_000 } : database

/** A path may contain spaces, but does not begin or end with one. */
const sqliteUrl = /^sqlite:(?!\/\/)(?<file>\S(?:[^\p{Cc}]*\S)?)$/u

/** The reason why SQLite cannot use a path, if something else has it; completes a sentence about the path. */
export const misfitOf = Effect.fnUntraced(function* (file: string) {
  // SQLite treats names that begin with "file:" as URIs.
  if (file === ":memory:" || file.startsWith("file:")) return undefined
  const files = yield* FileSystem.FileSystem
  const type = yield* files.stat(file).pipe(
    Effect.map(({ type }) => type),
    Effect.orElseSucceed(() => (file.endsWith("/") ? "Directory" : "File"))
  )
  if (type === "File") return undefined
  return type === "Directory"
    ? `is a folder; name a file in it, such as sqlite:${file.replace(/\/+$/, "")}/outreach-forecast.db`
    : "is not a regular file"
})

/** The form of the URL of a Postgres database; completes a sentence. */
export const postgresForm = `postgres://user:password@host:5432/name ${passwordForm}`

const sslModes = new Set(["disable", "allow", "prefer", "require", "verify-ca", "verify-full"])

/**
 * Rejects what the driver cannot use: it would fail only when it connects, and look like a server that is down. Also
 * rejects an @ anywhere except at the end of the password: a part of the password would be taken for the host or the
 * database's name.
 */
const isPostgresUrl = (url: string) => {
  const { host = "", pathname = "", port, searchParams } = URL.parse(url) ?? {}
  return (
    /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?[^@]*$/i.test(url) &&
    host !== "" &&
    pathname.length > 1 &&
    isPercentEncoded(url) &&
    port !== "0" &&
    /^(?:[1-9]\d{0,4})?$/.test(searchParams?.get("port") ?? "") &&
    sslModes.has(searchParams?.get("sslmode") ?? "prefer")
  )
}

/** Parses `sqlite:PATH`, `sqlite::memory:` or `postgres://…`; everything else has its default. */
export const databaseFrom = (url: Redacted.Redacted): Option.Option<DatabaseSettings> => {
  const file = sqliteUrl.exec(Redacted.value(url))?.groups?.["file"]
  if (file !== undefined) return Option.some({ kind: "sqlite", file })
  return isPostgresUrl(Redacted.value(url))
    ? Option.some({ kind: "postgres", url, ...poolDefaults, certificates: Option.none() })
    : Option.none()
}

/** The host of a Postgres URL; one that starts with a slash is the folder of a Unix socket. */
export const hostOf = ({ hostname, searchParams }: URL): string =>
  searchParams.get("host") ?? decodeURIComponent(hostname.replaceAll(/[[\]]/g, ""))

/** True if passwords and data cross a network unencrypted, and the URL does not say that they may. */
export const isInTheClear = (database: DatabaseSettings): boolean => {
  if (database.kind === "sqlite" || Option.isSome(database.certificates)) return false
  const url = new URL(Redacted.value(database.url))
  const host = hostOf(url)
  return !url.searchParams.has("sslmode") && !host.startsWith("/") && !isLoopback(host)
}

/** A database's name for people; it contains no secret. */
export const databaseName = (database: DatabaseSettings): string => {
  if (database.kind === "sqlite") return database.file
  const { host, pathname } = new URL(Redacted.value(database.url))
  return `postgres://${host}${pathname}`
}

const milliseconds = (name: string) => integer(name, 100, 600_000, "a whole number of milliseconds from 100 to 600000")

/** Reads DATABASE_URL and the variables of the connections to Postgres. */
export const database = Effect.fnUntraced(function* (isProduction: boolean) {
  const url = yield* secret("DATABASE_URL")
  const connections = {
    poolSize: yield* integer("DATABASE_POOL_SIZE", 2, 1000, "an integer from 2 to 1000").pipe(
      orElse(poolDefaults.poolSize)
    ),
    connectTimeout: yield* milliseconds("DATABASE_CONNECT_TIMEOUT_MS").pipe(orElse(poolDefaults.connectTimeout)),
    statementTimeout: yield* milliseconds("DATABASE_STATEMENT_TIMEOUT_MS").pipe(orElse(poolDefaults.statementTimeout)),
    certificates: yield* fileContent("DATABASE_CA_FILE")
  }
  const parsed = Option.isNone(url) ? Option.some<DatabaseSettings>(defaultDatabase) : databaseFrom(url.value)
  if (Option.isNone(parsed)) {
    yield* report(`DATABASE_URL must be sqlite:PATH, sqlite::memory: or ${postgresForm}`)
    return defaultDatabase
  }
  const database = parsed.value
  if (database.kind === "postgres") return { ...database, ...connections }
  if (isProduction && database.file === ":memory:") {
    yield* report("DATABASE_URL must name a file in production: credits in memory are lost at every restart")
  }
  const misfit = yield* misfitOf(database.file)
  if (misfit !== undefined) yield* report(`DATABASE_URL must name a file, but ${database.file} ${misfit}`)
  return database
})
