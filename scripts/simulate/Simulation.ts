import { Cause, Clock, Context, DateTime, Effect, Exit, type Fiber, References, Scheduler } from "effect"
import { TestClock } from "effect/testing"
import { Outbox } from "../../src/mail/Outbox.ts"
import { isErased } from "../../src/mail/Mail.ts"
import { added } from "../../src/Extension.ts"
import { mailboxOf } from "../../src/keys/Mailbox.ts"
import { Payments } from "../../src/orders/payments/Payments.ts"
import { simulated } from "../extensions.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { type Action, newTask } from "./Action.ts"
import { mailing, makeDrawAction, purging } from "./drawAction.ts"
import { makeDatabase } from "./Database.ts"
import { checkBooks, checkCommit, checkEnd, readBooks } from "./Invariants.ts"
import { Outside } from "./Outside.ts"
import { switchPlan } from "./keyActions.ts"
import type { SimulatedExtension } from "./Part.ts"
import { Broken, crash, CurrentTask, hold, Steps, type Task } from "./Steps.ts"
import { type Instance, startInstance } from "./World.ts"

const extensions: ReadonlyArray<SimulatedExtension> = simulated

const maxActions = 40
const maxAtOnce = 4

const minute = 60_000
const hour = 60 * minute
const jumps = [minute, 11 * minute, hour, 25 * hour, 40 * 24 * hour, -hour, -50 * hour]

const nextTurn = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/**
 * Waits until every task has run as far as it can. The scheduler runs fibers in microtasks, and a batch begins one turn
 * of the event loop after it was requested.
 */
const nextTurns = Effect.replicateEffect(nextTurn, 3, { discard: true })

/** The result of a seed: the broken rule, if any, and the steps that led to it. */
export interface Simulated {
  readonly fault: string | undefined
  readonly steps: ReadonlyArray<string>
}

const play = Effect.fnUntraced(function* (seed: number, log: Array<string>) {
  const steps = new Steps()
  const outside = new Outside(seed, steps)
  const clock = yield* Clock.Clock
  const running = new Map<number, { readonly task: Task; readonly fiber: Fiber.Fiber<unknown> }>()
  let [tasks, fault] = [0, ""]

  const sql = yield* makeDatabase(steps)
  let books = yield* readBooks(sql)
  const { mailer, random } = outside
  const parts = extensions.map(({ part }) => part({ outside, steps, sql }))
  const drawAction = makeDrawAction(outside, parts)
  const [payments = Payments.layerManual] = added(parts, "payments")
  const start = startInstance({ sql, random, mailer, payments })
  const instances: [Context.Context<Instance>, Context.Context<Instance>] = [yield* start, yield* start]
  const again = new Map<string, Action>()

  /**
   * Lets every task run until its next step, its end or a wait for another task; then checks the commit, if there was
   * one.
   */
  const settle = Effect.gen(function* () {
    yield* nextTurns
    if (fault !== "") throw new Broken(fault)
    const { committed } = steps
    if (committed === undefined) return
    steps.committed = undefined
    const before = books
    books = yield* readBooks(sql)
    checkCommit(committed, before, books, outside.answers, clock.currentTimeMillisUnsafe())
    outside.orders = books.orders.map(({ id }) => id)
    for (const { email, id } of books.keys) if (!outside.mailboxes.has(id)) outside.mailboxes.set(id, mailboxOf(email))
    checkBooks(books, outside.mailboxes)
    for (const { committed: check } of parts) if (check !== undefined) yield* check(committed)
  })

  const begin = Effect.fnUntraced(function* (action: Action) {
    const instance = outside.upTo(instances.length)
    const context = instances[instance]
    if (context === undefined) return
    const task = newTask(tasks++, instance, action)
    for (const each of action.again ?? []) again.set(each.name, each)
    log.push(`${task.id} begins at ${instance}: ${task.name}`)
    const fiber = yield* action.run.pipe(
      Effect.provideContext(context),
      Effect.provideService(CurrentTask, task),
      Effect.forkDetach
    )
    running.set(task.id, { task, fiber })
    fiber.addObserver((exit) => {
      running.delete(task.id)
      log.push(`${task.id} ends`)
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return
      const defect = Cause.squash(exit.cause)
      if (defect === crash) return
      fault ||= defect instanceof Broken ? defect.message : `${task.name}: ${Cause.pretty(exit.cause)}`
    })
    yield* settle
  })

  const advance = Effect.gen(function* () {
    const task = outside.pick(steps.ready)
    hold(task !== undefined, "Every task waits for another")
    log.push(`${task.id} ${steps.take(task)}`)
    yield* settle
  })

  const crashOne = Effect.gen(function* () {
    const instance = outside.upTo(instances.length)
    log.push(`instance ${instance} crashes`)
    const ended = [...running.values()].map(({ task }) => task).filter((task) => task.instance === instance)
    for (const task of ended) task.isDisturbed = true
    steps.crash(ended)
    yield* settle
    instances[instance] = yield* start
  })

  const leave = Effect.gen(function* () {
    const left = outside.pick([...running.values()])
    if (left === undefined) return
    log.push(`${left.task.id} is interrupted`)
    left.task.isDisturbed = true
    left.fiber.interruptUnsafe()
    yield* settle
  })

  const jump = Effect.fnUntraced(function* (millis: number) {
    log.push(`the clock jumps by ${millis / minute} minutes`)
    for (const { task } of running.values()) task.isDisturbed = true
    yield* TestClock.setTime(clock.currentTimeMillisUnsafe() + millis)
    yield* outside.clockMoved
    yield* settle
  })

  const disturb = Effect.suspend(() => {
    const drawn = outside.random()
    if (drawn < 0.35) return crashOne
    if (drawn < 0.65) return leave
    // The clock does not jump within a transaction or a purge: in reality neither takes that long.
    const isAtOneTime = steps.open !== undefined || [...running.values()].some(({ task }) => task.name === purging.name)
    return !isAtOneTime ? jump(outside.pick(jumps) ?? minute) : Effect.void
  })

  const finish = Effect.gen(function* () {
    while (running.size > 0) yield* advance
  })
  const doNow = (action: Action) => Effect.andThen(begin(action), finish)

  const mayBegin = () => tasks < maxActions
  yield* TestClock.setTime(DateTime.makeUnsafe("2026-11-29T12:00:00Z").epochMilliseconds)
  while (mayBegin() || running.size > 0) {
    if (outside.chance(0.03)) yield* disturb
    const isBusy = !mayBegin() || running.size >= maxAtOnce
    if (running.size > 0 && (isBusy || outside.chance(0.8))) {
      yield* advance
      continue
    }
    const action = mayBegin() ? drawAction() : undefined
    if (action !== undefined) yield* begin(action)
  }

  // At the end everything outside works, and every mail can be sent.
  outside.isCalm = true
  for (const action of again.values()) yield* doNow(action)
  for (const known of outside.secrets) yield* doNow(switchPlan(known))
  for (const { last } of parts) for (const action of last?.() ?? []) yield* doNow(action)
  const [instance] = instances
  const outbox = Context.get(instance, Outbox)
  for (let hours = 0; hours < 3; hours++) {
    yield* jump(2 * hour)
    const { length } = yield* outbox.list("queued", 1000)
    for (let mail = 0; mail < length; mail++) yield* doNow(mailing)
  }
  for (const { id, owner, reference, state } of yield* Context.get(instance, OrderStore).list(undefined, 1000)) {
    const isKnown = state === "fulfilled" || state === "refunded" || (isErased(owner.email) && reference !== undefined)
    hold(!outside.paid.has(id) || isKnown, `${id} was paid and is ${state}`)
  }
  outside.checkMails(yield* outbox.list(undefined, 1000))
  yield* checkEnd(instance, books)
})

/** Runs the simulation of a seed: a whole service in memory, and everything that happens to it. */
export const simulate = (seed: number): Effect.Effect<Simulated> =>
  Effect.suspend(() => {
    const steps: Array<string> = []
    return play(seed, steps).pipe(
      Effect.scoped,
      Effect.provide(TestClock.layer()),
      Effect.provideService(Scheduler.Scheduler, new Scheduler.MixedScheduler("sync")),
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.exit,
      Effect.map((exit) => {
        if (Exit.isSuccess(exit)) return { fault: undefined, steps }
        const defect = Cause.squash(exit.cause)
        return { fault: defect instanceof Broken ? defect.message : Cause.pretty(exit.cause), steps }
      })
    )
  })
