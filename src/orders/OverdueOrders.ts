import { DateTime, Effect, Layer, Metric } from "effect"
import * as BackgroundJob from "../BackgroundJob.ts"
import type { Order } from "./Order.ts"
import { Orders } from "./Orders.ts"

/** How many orders are overdue, as of the last check. */
const overdueOrders = Metric.gauge("outreach_forecast_orders_overdue", {
  description: "Orders that are not confirmed or whose mail is not sent a business day after they were made or paid."
})

const logOverdue = ({ dueAt = 0, id, mailId, state }: Order) =>
  Effect.annotateLogs(Effect.logError("order overdue"), {
    order: id,
    reason: state === "fulfilled" ? "mail not sent" : "payment not confirmed",
    due_at: DateTime.formatIso(DateTime.makeUnsafe(dueAt)),
    mail: mailId
  })

/** Counts overdue orders each minute while the scope is open: for the metric, and for one line in the log for each. */
export const layer = Layer.suspend(() => {
  let logged: ReadonlySet<string> = new Set()
  return BackgroundJob.layer({
    name: "watch overdue orders",
    run: Effect.gen(function* () {
      const orders = yield* Orders
      const overdue = yield* orders.overdue
      yield* Metric.update(overdueOrders, overdue.length)
      const isNew = ({ id }: Order) => !logged.has(id)
      yield* Effect.forEach(overdue.filter(isNew), logOverdue, { discard: true })
      logged = new Set(overdue.map(({ id }) => id))
    }),
    every: "1 minute"
  })
})
