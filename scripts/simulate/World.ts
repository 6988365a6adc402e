import { Context, Effect, Exit, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { services, storesMemory } from "../../src/Application.ts"
import { AnswerStore } from "../../src/idempotency/AnswerStore.ts"
import { Ledger, MemoryLedger } from "../../src/credits/Ledger.ts"
import { MemoryTables } from "../../src/database/MemoryTables.ts"
import { Transaction } from "../../src/database/Transaction.ts"
import { linksLayer } from "../../src/keys/AccessRequests.ts"
import { RequestLimits } from "../../src/http/limits/RequestLimits.ts"
import { PublicUrl } from "../../src/http/PublicUrl.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { RevealLinks } from "../../src/keys/RevealLinks.ts"
import { SessionStore } from "../../src/keys/sessions/SessionStore.ts"
import { Mailer } from "../../src/mail/Mailer.ts"
import { Outbox } from "../../src/mail/Outbox.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { Payments } from "../../src/orders/payments/Payments.ts"
import type { Settings } from "../../src/Settings.ts"
import { WorkerPool } from "../../src/workers/WorkerPool.ts"
import { settings } from "../../test/support/Application.ts"
import { CurrentTask, type Steps, type Task } from "./Steps.ts"

const IsInTransaction = Context.Reference("outreach-forecast/simulate/IsInTransaction", { defaultValue: () => false })

/** The stores in memory, with their tables open to the simulation. */
const openStores = storesMemory.pipe(Layer.provideMerge(MemoryLedger.layer), Layer.provideMerge(MemoryTables.layer))
export type Stores = Layer.Success<typeof openStores>

const url = "https://forecast.example"

/** What is sold. */
export const pack = { id: "starter", credits: 20, amount: 1900, currency: "USD" }

/** The service without what it runs on, and of HTTP what it takes to answer orders and replacements of keys. */
const service = Layer.mergeAll(services, linksLayer(url), RequestLimits.layer, Layer.succeed(PublicUrl, url))
export type Instance = Layer.Success<typeof service> | Mailer | Settings | Stores

/** What the instances of a simulation run on beside the stores. */
export interface Surroundings {
  readonly steps: Steps
  readonly random: () => number
  readonly mailer: Mailer["Service"]
  readonly payments: Payments["Service"]
  /** Told of each commit, with the size of the ledger before it. */
  readonly onCommit: (task: Task, ledgerBefore: number) => void
}

/** Transactions over stores in memory, one at a time, whose beginning and end are steps. */
const makeTransact = (stores: Context.Context<Stores>, { onCommit, steps }: Surroundings) => {
  const { snapshot } = Context.get(stores, MemoryTables)
  const { entries } = Context.get(stores, MemoryLedger)

  const open = <A, E, R>(task: Task, effect: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        steps.open = task
        const undo = snapshot()
        const before = entries.size
        return restore(Effect.tap(effect, steps.step("commit"))).pipe(
          Effect.provideService(IsInTransaction, true),
          Effect.onExit((exit) =>
            Effect.sync(() => {
              steps.open = undefined
              if (Exit.isSuccess(exit)) onCommit(task, before)
              else undo()
              task.kept = []
              task.made = []
            })
          )
        )
      })
    )

  /** Does an effect in a transaction of its own, or in the open one, where it begins with a step if it has a name. */
  return <A, E, R>(effect: Effect.Effect<A, E, R>, name?: string): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      const task = yield* CurrentTask
      if (task === undefined) return yield* effect
      if (yield* IsInTransaction) {
        if (name !== undefined) yield* steps.step(name)
        return yield* effect
      }
      yield* steps.step(name ?? "begin", true)
      const done = yield* open(task, effect)
      yield* steps.step("committed")
      return done
    })
}

/** The stores, which note what the current task makes in its transaction. */
const noting = (stores: Context.Context<Stores>): Context.Context<Stores> => {
  const answers = Context.get(stores, AnswerStore)
  const keys = Context.get(stores, KeyStore)
  const orders = Context.get(stores, OrderStore)
  const outbox = Context.get(stores, Outbox)
  const after = <A>(effect: Effect.Effect<A>, note: (task: Task) => unknown) =>
    Effect.tap(effect, () => Effect.map(CurrentTask, (task) => task && note(task)))
  return Context.add(
    stores,
    AnswerStore,
    AnswerStore.of({
      ...answers,
      put: (given) =>
        after(answers.put(given), ({ kept }) =>
          given.forEach(({ answer, key, operation, scope }) =>
            kept.push({ repeatId: `${scope} ${operation} ${key}`, answer })
          )
        )
    })
  ).pipe(
    Context.add(OrderStore, {
      ...orders,
      insert: (order) => after(orders.insert(order), ({ made }) => made.push("order"))
    }),
    Context.add(KeyStore, {
      ...keys,
      putSecret: (secret) => after(keys.putSecret(secret), ({ made }) => made.push("secret"))
    }),
    Context.add(Outbox, {
      ...outbox,
      erase: (addresses) => after(outbox.erase(addresses), ({ made }) => made.push("erasure"))
    })
  )
}

/** The stores as instances see them: each call is a step, and a transaction by itself where it is in no other. */
const inSteps = (stores: Context.Context<Stores>, surroundings: Surroundings): Context.Context<Stores> => {
  const transact = makeTransact(stores, surroundings)
  const stepped = <I extends Stores, S extends object>(context: Context.Context<Stores>, store: Context.Key<I, S>) => {
    const name = store.key.slice(store.key.lastIndexOf("/") + 1)
    const proxy = new Proxy(Context.get(context, store), {
      get: (target, property): unknown => {
        const value: unknown = Reflect.get(target, property)
        const label = `${name}.${String(property)}`
        if (Effect.isEffect(value)) return transact(value, label)
        if (typeof value !== "function") return value
        return (...parts: ReadonlyArray<unknown>): unknown => {
          const called: unknown = Reflect.apply(value, target, parts)
          return Effect.isEffect(called) ? transact(called, label) : called
        }
      }
    })
    return Context.add(context, store, proxy)
  }
  let context: Context.Context<Stores> = noting(stores)
  context = stepped(context, AnswerStore)
  context = stepped(context, KeyStore)
  context = stepped(context, RevealLinks)
  context = stepped(context, AuditLog)
  context = stepped(context, SessionStore)
  context = stepped(context, Ledger)
  context = stepped(context, Outbox)
  context = stepped(context, OrderStore)
  const transaction = Context.get(stores, Transaction)
  const run = <A, E, R>(effect: Effect.Effect<A, E, R>) => transact(effect)
  return Context.add(context, Transaction, Transaction.of({ ...transaction, run, runBatch: run }))
}

/** New, empty stores, and how to start an instance of the service over them. */
export const makeWorld = Effect.fnUntraced(function* (surroundings: Surroundings) {
  const { mailer, payments, random } = surroundings
  const scope = yield* Effect.scope
  const stores = yield* Layer.buildWithMemoMap(openStores, Layer.makeMemoMapUnsafe(), scope)
  const given = Layer.mergeAll(
    Layer.succeedContext(inSteps(stores, surroundings)),
    Layer.succeed(
      SecureRandom.SecureRandom,
      SecureRandom.make((size) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256)))
    ),
    Layer.succeed(Payments, payments),
    Layer.succeed(Mailer, mailer),
    settings({ CREDIT_PACKS: "starter:20:19.00:USD" })
  )
  const instance: Layer.Layer<Instance> = service.pipe(Layer.provide(WorkerPool.layerMemory), Layer.provideMerge(given))
  return { stores, start: Layer.buildWithMemoMap(Layer.fresh(instance), Layer.makeMemoMapUnsafe(), scope) }
})
