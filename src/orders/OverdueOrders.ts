import { DateTime, Effect, Layer, Metric, Schedule } from "effect"
import type { Order } from "./Order.ts"
import { Orders } from "./Orders.ts"

/** How many orders are overdue, as of the last minute. */
const overdueOrders = Metric.gauge("outreach_forecast_orders_overdue", {
  description: "Orders that are not confirmed or whose mail is not sent a business day after they were made or paid."
})

const warn = ({ dueAt = 0, id, mailId, state }: Order) =>
  Effect.annotateLogs(
    Effect.logError(
      state === "fulfilled" ? "an order is overdue: its mail was not sent" : "an order is overdue: nobody confirmed it"
    ),
    { order: id, due_at: DateTime.formatIso(DateTime.makeUnsafe(dueAt)), mail: mailId }
  )

/** Counts the overdue orders, and logs those that are not in `told` yet. */
const look = Effect.fn("OverdueOrders.look")(function* (told: Set<string>) {
  const orders = yield* Orders
  const overdue = yield* orders.overdue
  yield* Metric.update(overdueOrders, overdue.length)
  yield* Effect.forEach(
    overdue.filter(({ id }) => !told.has(id)),
    (order) =>
      Effect.andThen(
        warn(order),
        Effect.sync(() => told.add(order.id))
      ),
    { discard: true }
  )
})

/**
 * Looks for overdue orders each minute while the scope is open: for the metric, and for one line in the log for each. A
 * fault of the database is logged and outlived.
 */
export const layer = Layer.effectDiscard(
  Effect.suspend(() => {
    const told = new Set<string>()
    return look(told).pipe(
      Effect.catchCause((cause) => Effect.logError("The look for overdue orders failed", cause)),
      Effect.repeat(Schedule.spaced("1 minute")),
      Effect.forkScoped
    )
  })
)
