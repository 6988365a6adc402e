import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { services, stores as sqlStores } from "../../src/Application.ts"
import { added } from "../../src/Extension.ts"
import * as LedgerAuditSql from "../../src/credits/audit/LedgerAuditSql.ts"
import { Transaction } from "../../src/database/Transaction.ts"
import * as MailLinks from "../../src/MailLinks.ts"
import { PublicUrl } from "../../src/http/RequestState.ts"
import { Mailer } from "../../src/mail/Mailer.ts"
import { Forecasts } from "../../src/metering/Forecasts.ts"
import { OrderPlacing } from "../../src/orders/OrderPlacingHttp.ts"
import type { Payments } from "../../src/orders/payments/Payments.ts"
import type { Settings } from "../../src/Settings.ts"
import { WorkerPool } from "../../src/workers/WorkerPool.ts"
import { settings } from "../../test/support/Application.ts"
import { simulated } from "../extensions.ts"

const url = "https://forecast.example"

/** The pack on sale. */
export const pack = { id: "starter", credits: 20, amount: 1900, currency: "USD" }

/** The service without the layers it runs on, and with the parts of HTTP that orders and rotations need. */
const service = Layer.mergeAll(MailLinks.layer(url), OrderPlacing.layer, ...added(simulated, "services")).pipe(
  Layer.provideMerge(Forecasts.layer),
  Layer.provideMerge(services),
  Layer.provide(Layer.succeed(PublicUrl, url))
)

/** Every batch begins at once, so that no batch has the work of two tasks and each commit belongs to one task. */
const unqueued = Layer.effect(
  Transaction,
  Effect.map(Transaction, (transaction) => ({ ...transaction, batches: { atOnce: Infinity, most: Infinity } }))
)

const stores = Layer.merge(unqueued.pipe(Layer.provideMerge(sqlStores)), LedgerAuditSql.layer)
export type Instance = Layer.Success<typeof service> | Layer.Success<typeof stores> | Mailer | Settings

/** The environment of the instances of a simulation. */
export interface SimulatedEnvironment {
  readonly sql: SqlClient.SqlClient
  readonly random: () => number
  readonly mailer: Mailer["Service"]
  readonly payments: Layer.Layer<Payments>
}

/** Starts an instance of the service. Instances share nothing but the database. */
export const startInstance = ({ mailer, payments, random, sql }: SimulatedEnvironment) => {
  const given = Layer.mergeAll(
    Layer.succeed(
      SecureRandom.SecureRandom,
      SecureRandom.make((size) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256)))
    ),
    payments,
    Layer.succeed(Mailer, mailer),
    stores.pipe(
      Layer.provideMerge(Layer.succeed(SqlClient.SqlClient, sql)),
      Layer.provideMerge(
        // Keeps the rows that the final rules count.
        settings({
          CREDIT_PACKS: "starter:20:19.00:USD",
          MAIL_DAYS: "3650",
          LINK_DAYS: "3650",
          UNCONFIRMED_KEY_DAYS: "3650",
          UNPAID_ORDER_DAYS: "3650"
        })
      )
    )
  )
  const instance: Layer.Layer<Instance> = service.pipe(Layer.provide(WorkerPool.layerMemory), Layer.provideMerge(given))
  return Effect.flatMap(Effect.scope, (scope) =>
    Layer.buildWithMemoMap(Layer.fresh(instance), Layer.makeMemoMapUnsafe(), scope)
  )
}
