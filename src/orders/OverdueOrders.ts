import { Effect, Layer } from "effect"
import * as BackgroundJob from "../observability/BackgroundJob.ts"
import { ordersOverdue } from "../observability/Telemetry.ts"
import type { Order } from "./Order.ts"
import { Orders } from "./Orders.ts"
import { isoTime } from "../text/Times.ts"

const logOverdue = ({ dueAt = 0, id, mailId, state }: Order) =>
  Effect.annotateLogs(Effect.logError("order overdue"), {
    order: id,
    reason: state === "fulfilled" ? "mail not sent" : "payment not confirmed",
    due_at: isoTime(dueAt),
    mail: mailId
  })

/** Counts overdue orders every minute while the scope is open, for the metric, and logs each order once. */
export const layer = Layer.suspend(() => {
  let logged: ReadonlySet<string> = new Set()
  return BackgroundJob.layer({
    name: "watch overdue orders",
    run: Effect.gen(function* () {
      const orders = yield* Orders
      const overdue = yield* orders.overdue
      ordersOverdue(overdue.length)
      for (const order of overdue) if (!logged.has(order.id)) yield* logOverdue(order)
      logged = new Set(overdue.map(({ id }) => id))
    }),
    every: "1 minute"
  })
})
