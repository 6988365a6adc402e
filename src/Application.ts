import { Effect, Layer, Option } from "effect"
import { IdempotentAnswers } from "./idempotency/IdempotentAnswers.ts"
import { Credits } from "./credits/Credits.ts"
import { Grants } from "./credits/Grants.ts"
import { Idempotency } from "./idempotency/Idempotency.ts"
import type { LedgerAudit } from "./credits/audit/LedgerAudit.ts"
import * as LedgerAuditSql from "./credits/audit/LedgerAuditSql.ts"
import { Ledger } from "./credits/Ledger.ts"
import * as Database from "./database/Database.ts"
import { DatabaseHealth } from "./database/DatabaseHealth.ts"
import { faultLogLayer } from "./database/FaultLog.ts"
import type { Purpose } from "./database/Purpose.ts"
import * as RequestCounts from "./database/RequestCounts.ts"
import { Retention } from "./privacy/Retention.ts"
import { Transaction } from "./database/Transaction.ts"
import { Forecaster } from "./forecast/Forecaster.ts"
import { AccessRequests } from "./keys/AccessRequests.ts"
import { Adjustments } from "./owner/Adjustments.ts"
import { ApiKeys } from "./keys/ApiKeys.ts"
import { Authenticator } from "./keys/Authenticator.ts"
import { CallCounts } from "./keys/CallCounts.ts"
import { AuditLog } from "./keys/AuditLog.ts"
import { KeySecrets } from "./keys/KeySecrets.ts"
import { KeyStore } from "./keys/KeyStore.ts"
import { RevealLinks } from "./keys/RevealLinks.ts"
import { SubKeys } from "./keys/subkeys/SubKeys.ts"
import { SubKeyStore } from "./keys/subkeys/SubKeyStore.ts"
import { Sessions } from "./keys/sessions/Sessions.ts"
import { SessionStore } from "./keys/sessions/SessionStore.ts"
import { Mails } from "./mail/Mails.ts"
import { Notices } from "./notices/Notices.ts"
import { UnsubscribeStore } from "./notices/UnsubscribeStore.ts"
import { Outbox } from "./mail/Outbox.ts"
import * as Logging from "./observability/Logging.ts"
import * as Randomness from "./Randomness.ts"
import { Erasure } from "./privacy/Erasure.ts"
import { Orders } from "./orders/Orders.ts"
import { OrderStore } from "./orders/OrderStore.ts"
import { PaymentEvents } from "./orders/PaymentEvents.ts"
import { Payments } from "./orders/payments/Payments.ts"
import * as StripePayments from "./orders/payments/StripePayments.ts"
import { withLongTimeouts } from "./settings/DatabaseSettings.ts"
import { Settings } from "./Settings.ts"
import * as LedgerThread from "./credits/audit/LedgerThread.ts"
import { WorkerPool } from "./workers/WorkerPool.ts"

/** All stores, over the SQL client. */
export const storesSql = Layer.mergeAll(
  KeyStore.layer,
  SubKeyStore.layer,
  RevealLinks.layer,
  SessionStore.layer,
  AuditLog.layer,
  CallCounts.layer,
  Ledger.layer,
  IdempotentAnswers.layer,
  Outbox.layer,
  OrderStore.layer,
  UnsubscribeStore.layer,
  RequestCounts.layer,
  Retention.layer.pipe(Layer.provideMerge(Transaction.layer)),
  DatabaseHealth.layer
).pipe(Layer.provideMerge(faultLogLayer))

/** Payments by Stripe if its secrets are set, otherwise confirmed by the operator. */
export const payments = Layer.unwrap(
  Effect.map(Settings, ({ stripe }) =>
    Option.match(stripe, {
      onNone: () => Payments.layerManual,
      onSome: (account) => StripePayments.layer(account)
    })
  )
)

const orders = Layer.provideMerge(PaymentEvents.layer, Orders.layer)

/** The services of the product, over payments, stores, settings and randomness. */
export const services = Layer.mergeAll(Adjustments.layer, orders, Erasure.layer, Notices.layer).pipe(
  Layer.provideMerge(
    Layer.mergeAll(ApiKeys.layer, AccessRequests.layer, Authenticator.layer, Sessions.layer).pipe(
      Layer.provideMerge(SubKeys.layer),
      Layer.provideMerge(KeySecrets.layer)
    )
  ),
  Layer.provideMerge(Layer.mergeAll(Credits.layer, Grants.layer, Mails.layer)),
  Layer.provideMerge(Idempotency.layer),
  Layer.provideMerge(Forecaster.layer)
)

/** The audit of a database other than the configured one, with the client of that database. */
export const ledgerAuditOver = (client: ReturnType<typeof Database.connect>) =>
  Layer.fresh(LedgerAuditSql.layer.pipe(Layer.provideMerge(client)))

type SqlServices = Layer.Services<typeof LedgerAuditSql.layer> | Layer.Services<ReturnType<typeof Database.connect>>

/** The audit of the configured database. It takes seconds per million entries, so the service runs it in a thread. */
const ledgerAudit = (purpose: Purpose) =>
  Layer.unwrap(
    Effect.map(Settings, ({ database }): Layer.Layer<LedgerAudit, never, SqlServices> => {
      if (database.kind === "postgres")
        return LedgerAuditSql.layerOver(Database.connect(withLongTimeouts(database), "read"))
      return purpose === "serve" && database.file !== ":memory:"
        ? LedgerThread.layer(database.file)
        : LedgerAuditSql.layer
    })
  )

/** The settings, and logging at their level. */
export const environment = Layer.provideMerge(Logging.layer, Settings.layer)

const over = (purpose: Purpose) =>
  services.pipe(
    Layer.provideMerge(WorkerPool.layer),
    Layer.provideMerge(payments),
    Layer.provideMerge(storesSql),
    Layer.provideMerge(ledgerAudit(purpose)),
    Layer.provide(Database.layerFor(purpose)),
    Layer.provideMerge(Randomness.layer),
    Layer.provideMerge(environment)
  )

/** The whole product except HTTP, as the environment configures it. */
export const layer = over("serve")

/** The same for commands that change data, and for those that only read it. */
export const layerToChange = over("change")
export const layerToRead = over("read")
