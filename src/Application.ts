import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Credits } from "./credits/Credits.ts"
import * as LedgerSql from "./credits/LedgerSql.ts"
import * as Database from "./database/Database.ts"
import { DatabaseHealth } from "./database/DatabaseHealth.ts"
import { Transaction } from "./database/Transaction.ts"
import { Forecasts } from "./forecast/Forecasts.ts"
import { ApiKeys } from "./keys/ApiKeys.ts"
import * as KeyStoreSql from "./keys/KeyStoreSql.ts"
import * as Logging from "./Logging.ts"
import { Settings } from "./Settings.ts"

/** What keeps state, on the configured database. */
const stores = Layer.mergeAll(KeyStoreSql.layer, LedgerSql.layer, Transaction.layer, DatabaseHealth.layer).pipe(
  Layer.provide(Database.layer)
)

/** The services of the product, over stores, settings and randomness. */
export const services = Forecasts.layer.pipe(Layer.provideMerge(ApiKeys.layer), Layer.provideMerge(Credits.layer))

/** The whole product but for HTTP, as the environment configures it. */
export const layer = services.pipe(
  Layer.provideMerge(stores),
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(Logging.layer),
  Layer.provideMerge(Settings.layer)
)
