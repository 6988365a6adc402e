import { randomUUID } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { SqliteClient, SqliteMigrator } from "@effect/sql-sqlite-node"
import { Clock, ConfigProvider, type Context, Effect, FileSystem, Layer, Logger, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import * as Application from "../../src/Application.ts"
import * as LedgerAuditSql from "../../src/credits/audit/LedgerAuditSql.ts"
import * as Database from "../../src/database/Database.ts"
import { migrations } from "../../src/database/Migrations.ts"
import { columnNames } from "../../src/database/Statements.ts"
import type { Payments } from "../../src/orders/payments/Payments.ts"
import { Settings } from "../../src/Settings.ts"
import { WorkerPool } from "../../src/workers/WorkerPool.ts"
import { once } from "./once.ts"
import { makePreparedDatabase, postgresDatabase } from "./Postgres.ts"

const { services } = Application

type Env = Readonly<Record<string, string>>

const testEnv = {
  APP_ENV: "test",
  PORT: "0",
  DATABASE_URL: "sqlite::memory:",
  LOG_LEVEL: "none",
  // No load balancer has to notice the end of a test: behind a proxy each server would wait for 5 seconds.
  DRAIN_SECONDS: "0",
  // Overload tests send more concurrent requests than that, each on its own connection.
  MAX_CONNECTIONS: "10000"
}

/** Settings of the test environment on a free port, with changes. */
export const settings = (env: Env = {}) =>
  Settings.layer.pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { ...testEnv, ...env } }))),
    Layer.provide(NodeFileSystem.layer),
    Layer.orDie
  )

const openInMemory = (filename: string) => SqliteClient.make({ ...columnNames, filename, disableWAL: true })

/** A database in memory with the tables, which nothing closes. */
const migratedDatabase = once(
  Effect.gen(function* () {
    const sql = yield* openInMemory(":memory:")
    yield* Effect.provideService(SqliteMigrator.run({ loader: migrations }), SqlClient.SqlClient, sql)
    return sql
  }).pipe(Scope.provide(Scope.makeUnsafe()), Effect.provide([Reactivity.layer, NodeServices.layer]), Effect.orDie)
)

/** A new database in memory for each build. Migrating one takes twenty times as long as a copy. */
const inMemory = Layer.effect(
  SqlClient.SqlClient,
  Effect.gen(function* () {
    const name = `file:/${randomUUID()}?vfs=memdb`
    const sql = yield* openInMemory(name)
    yield* (yield* migratedDatabase).backup(name)
    return sql
  })
).pipe(Layer.provide(Reactivity.layer), Layer.orDie)

// The connection pool uses real time: connections do not expire when a test's clock jumps.
const realTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

/** The stores over a SQL client, its audit, and the client for tests that query the database. */
const storesOver = <E, R>(client: Layer.Layer<SqlClient.SqlClient, E, R>) =>
  Layer.merge(Application.stores, LedgerAuditSql.layer).pipe(
    Layer.provideMerge(client),
    Layer.provide(realTime),
    Layer.provide(NodeServices.layer)
  )

/** The stores on a new SQLite database in memory. */
export const memoryStores = storesOver(inMemory)

/** The stores on the configured database, without a warning that a server of the test has it open. */
export const configuredStores = storesOver(Layer.provide(Database.layer, Logger.layer([])))

/** A directory that exists until the scope closes. */
export const temporaryDirectory = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  return yield* files.makeTempDirectoryScoped({ prefix: "outreach-forecast-" })
}).pipe(Effect.provide(NodeServices.layer), Effect.orDie)

/** The URL of a new, empty database of each kind. */
export const emptyDatabases = {
  SQLite: Effect.map(temporaryDirectory, (directory) => `sqlite:${directory}/test.db`),
  Postgres: postgresDatabase
}

/** Creates and migrates the database of a URL, as the first start of the service does. */
export const createDatabase = (url: string) =>
  Effect.scoped(Layer.build(Layer.fresh(configuredStores.pipe(Layer.provide(settings({ DATABASE_URL: url }))))))

/** The content of a new SQLite file. Migrating one takes ten times as long as writing a copy. */
const newSqliteFile = once(
  Effect.gen(function* () {
    const file = `${yield* temporaryDirectory}/test.db`
    yield* createDatabase(`sqlite:${file}`)
    return readFileSync(file)
  }).pipe(Effect.scoped, Effect.orDie)
)

/** A folder with a new database in its default place. */
export const installedDirectory = Effect.tap(
  temporaryDirectory,
  Effect.fnUntraced(function* (directory) {
    mkdirSync(`${directory}/data`)
    writeFileSync(`${directory}/data/outreach-forecast.db`, yield* newSqliteFile)
  })
)

/** A new SQLite file for each build. */
export const sqliteFileSettings = (env: Env = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/test.db`
      writeFileSync(file, yield* newSqliteFile)
      return settings({ DATABASE_URL: `sqlite:${file}`, ...env })
    })
  )

/** The URL of a new Postgres database with the tables of the service. */
export const newPostgresDatabase = makePreparedDatabase((url) => Effect.orDie(createDatabase(url)))

/** A new Postgres database for each build. */
const postgresSettings = (env: Env = {}) =>
  Layer.unwrap(Effect.map(newPostgresDatabase, (url) => settings({ DATABASE_URL: url, ...env })))

/** The stores over each kind of database, a new one for each build; both must behave alike. */
export const stores = {
  SQLite: memoryStores.pipe(Layer.provide(settings())),
  Postgres: configuredStores.pipe(Layer.provide(postgresSettings()))
}

type StoreServices = Layer.Success<typeof memoryStores>

/** The parts of the application that a test replaces; the rest is as in the test environment. */
interface Options {
  readonly env?: Env
  readonly payments?: Layer.Layer<Payments, never, Settings>
  /** Worker threads, if a test is about them; otherwise everything is computed in the test's own thread. */
  readonly workers?: Layer.Layer<WorkerPool>
  /** Other randomness than that of the machine. */
  readonly random?: Layer.Layer<SecureRandom.SecureRandom>
}

/** As `Options`, with other stores in memory, as from `storesWith`. */
export interface ApplicationOptions extends Options {
  readonly stores?: Layer.Layer<StoreServices, never, Settings>
}

/** The services over stores, with one layer of settings for both, because only one of two would be built. */
const over = <A, E>(
  stores: Layer.Layer<A | StoreServices, E, Settings>,
  settingsOf: (env?: Env) => Layer.Layer<Settings>,
  {
    env,
    payments = Application.payments,
    random = SecureRandom.layerWebCrypto,
    workers = WorkerPool.layerMemory
  }: Options = {}
) =>
  services.pipe(
    Layer.provideMerge(workers),
    Layer.provideMerge(payments),
    Layer.provideMerge(stores),
    Layer.provideMerge(random),
    Layer.provideMerge(settingsOf(env))
  )

/** The services of the product over a database in memory. */
export const application = ({ stores = memoryStores, ...options }: ApplicationOptions = {}) =>
  over(stores, settings, options)

/** The stores in memory, with some methods of one of them replaced. */
export const storesWith = <I extends StoreServices, S extends object>(
  store: Context.Service<I, S>,
  methods: Partial<S>
) =>
  Layer.effect(
    store,
    Effect.map(store, (real) => ({ ...real, ...methods }))
  ).pipe(Layer.provideMerge(memoryStores))

/** The services over each kind of database, a new one for each build. */
export const applications = {
  SQLite: application,
  Postgres: (options?: Options) => over(configuredStores, postgresSettings, options)
}

/** The services over each kind of database, with its stores changed by `change`. */
export const applicationsWith = <B>(
  change: <A, E>(stores: Layer.Layer<A | StoreServices, E, Settings>) => Layer.Layer<A | B | StoreServices, E, Settings>
) => ({
  SQLite: over(change(memoryStores), settings),
  Postgres: over(change(configuredStores), postgresSettings)
})

/** The services over the database of a URL, as an additional instance. */
export const applicationOn = (url: string, { env, ...options }: Options = {}) =>
  over(configuredStores, settings, { env: { DATABASE_URL: url, ...env }, ...options })

/** The URL of the Postgres database that the services of a test are over. */
export const postgresUrl = Effect.map(Settings, ({ database }) =>
  database.kind === "postgres" ? Redacted.value(database.url) : assert.fail("not Postgres")
)
