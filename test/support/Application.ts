import * as NodeServices from "@effect/platform-node/NodeServices"
import { Clock, ConfigProvider, Effect, FileSystem, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { services, storesSql } from "../../src/Application.ts"
import { AuditStore } from "../../src/credits/audit/AuditStore.ts"
import { AnswerStore } from "../../src/credits/AnswerStore.ts"
import { Ledger } from "../../src/credits/Ledger.ts"
import * as Database from "../../src/database/Database.ts"
import { DatabaseHealth } from "../../src/database/DatabaseHealth.ts"
import { MemoryTables } from "../../src/database/MemoryTables.ts"
import { Transaction } from "../../src/database/Transaction.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { RevealLinks } from "../../src/keys/RevealLink.ts"
import { Outbox } from "../../src/mail/Outbox.ts"
import * as Randomness from "../../src/Randomness.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { Payments } from "../../src/orders/payments/Payments.ts"
import { Settings } from "../../src/Settings.ts"
import { postgresDatabase } from "./Postgres.ts"

type Env = Readonly<Record<string, string>>

const testEnv = { APP_ENV: "test", PORT: "0", DATABASE_URL: "sqlite::memory:", LOG_LEVEL: "none" }

/** Settings of the test environment on a free port, with changes. */
export const settings = (env: Env = {}) =>
  Settings.layer.pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { ...testEnv, ...env } }))),
    Layer.provide(NodeServices.layer),
    Layer.orDie
  )

export const memoryStores = Layer.mergeAll(
  KeyStore.layerMemory,
  RevealLinks.layerMemory,
  AuditLog.layerMemory,
  Ledger.layerMemory,
  AuditStore.layerMemory,
  AnswerStore.layerMemory,
  Outbox.layerMemory,
  OrderStore.layerMemory.pipe(Layer.provide(Outbox.layerMemory)),
  RateLimiter.layerStoreMemory,
  Transaction.layerMemory,
  DatabaseHealth.layerMemory
).pipe(Layer.provide(MemoryTables.layer))

/** The stores on the configured database; the tests that look into the database get its client too. */
export const sqlStores = storesSql.pipe(
  Layer.provideMerge(Database.layer),
  // The pool of connections is of this world: when a test's time leaps, connections are not old.
  Layer.provide(Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())),
  Layer.provide(NodeServices.layer)
)

/** A directory that is there until the scope closes. */
export const temporaryDirectory = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  return yield* files.makeTempDirectoryScoped({ prefix: "outreach-forecast-" })
}).pipe(Effect.provide(NodeServices.layer), Effect.orDie)

/** A new SQLite file of its own for each build. */
export const sqliteFileSettings = (env: Env = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      return settings({ DATABASE_URL: `sqlite:${directory}/test.db`, ...env })
    })
  )

/** A new Postgres database of its own for each build. */
export const postgresSettings = (env: Env = {}) =>
  Layer.unwrap(Effect.map(postgresDatabase, (url) => settings({ DATABASE_URL: url, ...env })))

/** The stores over each kind of database, a new one for each build: what one of them does, the others do. */
export const stores = {
  memory: memoryStores,
  SQLite: sqlStores.pipe(Layer.provide(sqliteFileSettings())),
  Postgres: sqlStores.pipe(Layer.provide(postgresSettings()))
}

/** The services over in-memory stores. */
export const memoryApplication = (env: Env = {}, payments: typeof Payments.layer = Payments.layer) =>
  services.pipe(
    Layer.provideMerge(payments),
    Layer.provideMerge(memoryStores),
    Layer.provideMerge(Randomness.layer),
    Layer.provideMerge(settings(env))
  )

/** The services over a new database. */
const sqlApplication =
  (settingsOf: typeof sqliteFileSettings) =>
  (env: Env = {}, payments: typeof Payments.layer = Payments.layer) =>
    services.pipe(
      Layer.provideMerge(payments),
      Layer.provideMerge(sqlStores),
      Layer.provideMerge(Randomness.layer),
      Layer.provideMerge(settingsOf(env))
    )

/** The services over a new SQLite file. */
export const sqliteApplication = sqlApplication(sqliteFileSettings)

/** The services over a new Postgres database. */
export const postgresApplication = sqlApplication(postgresSettings)

/** The services over each kind of database. */
export const applications = { memory: memoryApplication, SQLite: sqliteApplication, Postgres: postgresApplication }

/** The services over the database of a URL, as another instance beside those that use it. */
export const applicationOn = (url: string) =>
  services.pipe(
    Layer.provideMerge(Payments.layer),
    Layer.provideMerge(sqlStores),
    Layer.provideMerge(Randomness.layer),
    Layer.provideMerge(settings({ DATABASE_URL: url }))
  )
