import { Layer } from "effect"
import * as AnswerStoreSql from "./credits/AnswerStoreSql.ts"
import { Credits } from "./credits/Credits.ts"
import { Idempotency } from "./credits/Idempotency.ts"
import * as AuditStoreSql from "./credits/audit/AuditStoreSql.ts"
import { LedgerAudit } from "./credits/audit/LedgerAudit.ts"
import * as LedgerSql from "./credits/LedgerSql.ts"
import * as Database from "./database/Database.ts"
import { DatabaseHealth } from "./database/DatabaseHealth.ts"
import * as RequestCounts from "./database/RequestCounts.ts"
import { Transaction } from "./database/Transaction.ts"
import { Forecasts } from "./forecast/Forecasts.ts"
import { AccessRequests } from "./keys/AccessRequests.ts"
import { Adjustments } from "./keys/Adjustments.ts"
import { ApiKeys } from "./keys/ApiKeys.ts"
import * as AuditLogSql from "./keys/AuditLogSql.ts"
import { KeySecrets } from "./keys/KeySecrets.ts"
import * as KeyStoreSql from "./keys/KeyStoreSql.ts"
import * as RevealLinkSql from "./keys/RevealLinkSql.ts"
import { Mails } from "./mail/Mails.ts"
import * as OutboxSql from "./mail/OutboxSql.ts"
import * as Logging from "./Logging.ts"
import * as Randomness from "./Randomness.ts"
import { Fulfilment } from "./orders/Fulfilment.ts"
import { Orders } from "./orders/Orders.ts"
import * as OrderStoreSql from "./orders/OrderStoreSql.ts"
import { PaymentEvents } from "./orders/PaymentEvents.ts"
import { Payments } from "./orders/payments/Payments.ts"
import { Settings } from "./Settings.ts"

/** What keeps state, over the SQL client. */
export const storesSql = Layer.mergeAll(
  KeyStoreSql.layer,
  RevealLinkSql.layer,
  AuditLogSql.layer,
  LedgerSql.layer,
  AuditStoreSql.layer,
  AnswerStoreSql.layer,
  OutboxSql.layer,
  OrderStoreSql.layer,
  RequestCounts.layer,
  Transaction.layer,
  DatabaseHealth.layer
)

const orders = Layer.merge(Orders.layer, PaymentEvents.layer).pipe(Layer.provide(Fulfilment.layer))

/** The services of the product, over payments, stores, settings and randomness. */
export const services = Layer.mergeAll(Forecasts.layer, Adjustments.layer, orders).pipe(
  Layer.provideMerge(Layer.merge(ApiKeys.layer, AccessRequests.layer).pipe(Layer.provide(KeySecrets.layer))),
  Layer.provideMerge(Layer.mergeAll(Credits.layer, LedgerAudit.layer, Mails.layer)),
  Layer.provideMerge(Idempotency.layer)
)

/** The check of the ledger in a database other than the configured one, with the client of that database. */
export const ledgerAuditOver = (client: ReturnType<typeof Database.connect>) =>
  Layer.fresh(LedgerAudit.layer.pipe(Layer.provide(AuditStoreSql.layer), Layer.provideMerge(client)))

/** The whole product but for HTTP, as the environment configures it. */
export const layer = services.pipe(
  Layer.provideMerge(Payments.layer),
  Layer.provideMerge(storesSql),
  Layer.provide(Database.layer),
  Layer.provideMerge(Randomness.layer),
  Layer.provideMerge(Logging.layer),
  Layer.provideMerge(Settings.layer)
)
