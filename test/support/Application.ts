import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, FileSystem, Layer } from "effect"
import { services, storesSql } from "../../src/Application.ts"
import { AnswerStore } from "../../src/credits/AnswerStore.ts"
import { Ledger } from "../../src/credits/Ledger.ts"
import * as Database from "../../src/database/Database.ts"
import { DatabaseHealth } from "../../src/database/DatabaseHealth.ts"
import { MemoryTables, Transaction } from "../../src/database/Transaction.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { RevealLinks } from "../../src/keys/RevealLink.ts"
import { Outbox } from "../../src/mail/Outbox.ts"
import * as Randomness from "../../src/Randomness.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { Payments } from "../../src/orders/payments/Payments.ts"
import { Settings } from "../../src/Settings.ts"

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
  AnswerStore.layerMemory,
  Outbox.layerMemory,
  OrderStore.layerMemory.pipe(Layer.provide(Outbox.layerMemory)),
  Transaction.layerMemory,
  DatabaseHealth.layerMemory
).pipe(Layer.provide(MemoryTables.layer))

/** SQLite stores on the configured database; the tests that look into the database get its client too. */
export const sqliteStores = storesSql.pipe(Layer.provideMerge(Database.layer), Layer.provide(NodeServices.layer))

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

/** The services over in-memory stores. */
export const memoryApplication = (env: Env = {}, payments: typeof Payments.layer = Payments.layer) =>
  services.pipe(
    Layer.provideMerge(payments),
    Layer.provideMerge(memoryStores),
    Layer.provideMerge(Randomness.layer),
    Layer.provideMerge(settings(env))
  )

/** The services over a new SQLite file. */
export const sqliteApplication = (env: Env = {}, payments: typeof Payments.layer = Payments.layer) =>
  services.pipe(
    Layer.provideMerge(payments),
    Layer.provideMerge(sqliteStores),
    Layer.provideMerge(Randomness.layer),
    Layer.provideMerge(sqliteFileSettings(env))
  )
