import { Clock, DateTime, Effect, Option, Schema } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { isDate } from "../settings/Ordering.ts"
import { showPrice } from "../settings/CreditPack.ts"
import { type Order, OrderState } from "./Order.ts"
import { Orders } from "./Orders.ts"
import type { CommandDatabase } from "../cli/CommandDatabase.ts"
import { limit, listNewest } from "../cli/Parameters.ts"
import { json, printRecord, printTable } from "../cli/Printing.ts"
import { isoTime } from "../text/Times.ts"

const orderId = Argument.String("order").pipe(Argument.withDescription("The ID of the order, as shown by orders list"))

const timeOf = (millis: number | undefined) => (millis === undefined ? "" : isoTime(millis))

/** An order for the operator. */
export const orderView = (order: Order) => ({
  id: order.id,
  state: order.state,
  pack: order.pack,
  credits: order.credits,
  price: showPrice(order),
  payment: order.method,
  reference: order.reference ?? "",
  name: order.owner.name,
  email: order.owner.email,
  company: order.owner.company,
  key: order.keyId ?? "",
  credited_key: order.creditedKeyId ?? "",
  mail: order.mailId ?? "",
  dispute: order.disputeId ?? "",
  dispute_state: order.dispute ?? "",
  created_at: isoTime(order.createdAt),
  paid_at: timeOf(order.paidAt),
  fulfilled_at: timeOf(order.fulfilledAt),
  due_at: timeOf(order.dueAt)
})

const list = Command.make(
  "list",
  {
    state: Flag.Literals("state", OrderState.literals).pipe(
      Flag.withDescription("Only orders in this state"),
      Flag.optional
    ),
    overdue: Flag.Boolean("overdue").pipe(
      Flag.withDescription("Only overdue orders: a payment to confirm, or an email that was not sent"),
      Flag.withDefault(false)
    ),
    address: Argument.String("address").pipe(
      Argument.withDescription("Only orders of the person with this address"),
      Argument.optional
    ),
    limit,
    json
  },
  Effect.fnUntraced(function* ({ address, json, limit, overdue, state }) {
    const orders = yield* Orders
    const isWanted = (order: Order) => Option.isNone(state) || order.state === state.value
    const found = yield* listNewest(
      limit,
      Effect.fnUntraced(function* (most: number) {
        if (!overdue && Option.isNone(address)) return yield* orders.list(Option.getOrUndefined(state), most)
        const late = overdue ? yield* orders.overdue : undefined
        const ofPerson = Option.isSome(address) ? yield* orders.ofMailbox(address.value) : undefined
        const isTheirs = ({ id }: Order) => ofPerson === undefined || ofPerson.some((order) => order.id === id)
        return (late ?? ofPerson ?? []).filter((order) => isWanted(order) && isTheirs(order))
      })
    )
    const columns = ["id", "state", "pack", "price", "payment", "reference", "email", "created_at", "due_at"] as const
    yield* printTable(json, found.map(orderView), columns)
  })
).pipe(Command.withDescription("List the most recent orders, newest first."))

/** A time in the past, in ISO 8601 with its offset; a date alone is 00:00 UTC. */
const paidAt = Flag.String("paid-at").pipe(
  Flag.withDescription("The time of payment, such as 2026-11-21 or 2026-11-21T10:00:00Z; defaults to now"),
  Flag.mapEffect((value) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/
      const isTime = form.test(value) && isDate(value.slice(0, 10))
      const millis = isTime ? Option.map(DateTime.make(value), DateTime.toEpochMillis) : Option.none()
      const passed = Option.filter(millis, (millis) => millis <= now)
      return Option.isSome(passed)
        ? Effect.succeed(passed.value)
        : Effect.fail(
            new CliError.InvalidValue({
              option: "paid-at",
              value,
              expected: "a time such as 2026-11-21T10:00:00Z that is not in the future",
              kind: "flag"
            })
          )
    })
  ),
  Flag.optional
)

/** A command for one order, named by its ID. */
const withOrder = (name: string, description: string, run: "find" | "cancel") =>
  Command.make(
    name,
    { order: orderId, json },
    Effect.fnUntraced(function* ({ json, order: id }) {
      const { [run]: answer } = yield* Orders
      yield* printRecord(json, orderView(yield* answer(id)))
    })
  ).pipe(Command.withDescription(description))

const show = withOrder("show", "Show an order.", "find")

const cancel = withOrder(
  "cancel",
  "Cancel an order that is awaiting payment. A payment that arrives later is still accepted.",
  "cancel"
)

const fulfil = Command.make(
  "fulfil",
  {
    order: orderId,
    reference: Flag.String("reference").pipe(
      Flag.withDescription("Identifies the payment, as on the bank statement"),
      Flag.withSchema(Schema.Trim.check(Schema.isNonEmpty(), Schema.isMaxLength(200)))
    ),
    paidAt,
    again: Flag.Boolean("again").pipe(
      Flag.withDescription("The payment is for several orders, and was already confirmed for another one"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fnUntraced(function* ({ again, json, order: id, paidAt, reference }) {
    const orders = yield* Orders
    const now = yield* Clock.currentTimeMillis
    const payment = { reference, paidAt: Option.getOrElse(paidAt, () => now) }
    yield* printRecord(json, orderView(yield* orders.fulfil(id, payment, again)))
  })
).pipe(
  Command.withDescription(
    "Confirm the payment of an order: its credits are added, and the running service sends the email. Repeating it changes nothing, and a payment that was for another order is refused unless --again says that it is for both."
  )
)

/** `orders`: the operator's commands for orders of credit packs. */
export const ordersCommand = ({ changes, reads }: CommandDatabase<Orders>) =>
  Command.make("orders").pipe(
    Command.withDescription("Inspect orders of credit packs, and confirm their payments."),
    Command.withSubcommands([reads(list), reads(show), changes(fulfil), changes(cancel)])
  )
