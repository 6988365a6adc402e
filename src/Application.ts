import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { IdempotentAnswers } from "./idempotency/IdempotentAnswers.ts"
import { Credits } from "./credits/Credits.ts"
import { Grants } from "./credits/Grants.ts"
import { Idempotency } from "./idempotency/Idempotency.ts"
import { AuditStore } from "./credits/audit/AuditStore.ts"
import * as ConfiguredAuditSql from "./credits/audit/ConfiguredAuditSql.ts"
import { Ledger } from "./credits/Ledger.ts"
import * as Database from "./database/Database.ts"
import { DatabaseHealth } from "./database/DatabaseHealth.ts"
import { faultLogLayer } from "./database/Failures.ts"
import { type AccessMode, isNewer } from "./database/Migrations.ts"
import * as RequestCounts from "./database/RequestCounts.ts"
import { Retention } from "./retention/Retention.ts"
import { Transaction } from "./database/Transaction.ts"
import { added } from "./Extension.ts"
import { extensions } from "./extensions.ts"
import { Forecaster } from "./forecast/Forecaster.ts"
import { AccessRequests } from "./keys/AccessRequests.ts"
import { ApiKeys } from "./keys/ApiKeys.ts"
import { Authenticator } from "./keys/Authenticator.ts"
import { CallCounts } from "./keys/CallCounts.ts"
import { AuditLog } from "./keys/AuditLog.ts"
import { KeyStore } from "./keys/KeyStore.ts"
import { RevealLinks } from "./keys/RevealLinks.ts"
import { SubKeyStore } from "./keys/SubKeyStore.ts"
import { Mails } from "./mail/Mails.ts"
import { Outbox } from "./mail/Outbox.ts"
import * as Logging from "./observability/Logging.ts"
import { Orders } from "./orders/Orders.ts"
import { OrderStore } from "./orders/OrderStore.ts"
import { PaymentEvents } from "./orders/PaymentEvents.ts"
import { Payments } from "./orders/payments/Payments.ts"
import { Settings } from "./Settings.ts"
import { WorkerPool } from "./workers/WorkerPool.ts"

/** All stores, over the SQL client. */
export const stores = Layer.mergeAll(
  Layer.mergeAll(KeyStore.layer, SubKeyStore.layer, RevealLinks.layer, AuditLog.layer, CallCounts.layer),
  Layer.mergeAll(Ledger.layer, AuditStore.layer, IdempotentAnswers.layer, Outbox.layer),
  OrderStore.layer,
  Retention.layerWith(Object.fromEntries(added(extensions, "expiring").flatMap(Object.entries))),
  Layer.mergeAll(DatabaseHealth.layer, RequestCounts.layer)
).pipe(Layer.provideMerge(Transaction.layer), Layer.provideMerge(faultLogLayer(isNewer)))

/** Services of handlers, commands and background jobs, over the SQL client, stores, payments, threads and settings. */
export const services = Layer.mergeAll(
  Layer.mergeAll(ApiKeys.layer, AccessRequests.layer, Authenticator.layer),
  Layer.mergeAll(Credits.layer, Grants.layer, Idempotency.layer),
  Layer.mergeAll(Orders.layer, PaymentEvents.layer),
  Mails.layer,
  Forecaster.layer,
  ...added(extensions, "services")
)

/** Checks the balances in a database other than the configured one, which the SQL client is connected to. */
export { verifyBalances } from "./credits/audit/LedgerAuditSql.ts"

/** The settings, and logging at their level. */
export const environment = Layer.provideMerge(Logging.layer, Settings.layer)

/** The payments of the provider that is configured; by default the operator confirms them. */
export const [payments = Payments.layerManual] = added(extensions, "payments")

const over = (mode: AccessMode) =>
  services.pipe(
    Layer.provideMerge(WorkerPool.layer),
    Layer.provideMerge(payments),
    Layer.provideMerge(stores),
    Layer.provideMerge(ConfiguredAuditSql.layerFor(mode)),
    Layer.provide(Database.layerFor(mode)),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(environment)
  )

/** The whole product except HTTP, as the environment configures it. */
export const layer = over("serve")

/** The same for commands that change data, and for those that only read it. */
export const layerToChange = over("change")
export const layerToRead = over("read")
