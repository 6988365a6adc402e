import { Context, Effect, Layer } from "effect"
import { services } from "../../src/Application.ts"
import { Transaction } from "../../src/database/Transaction.ts"
import { Payments } from "../../src/orders/payments/Payments.ts"
import * as Randomness from "../../src/Randomness.ts"
import { memoryStores, postgresSettings, settings, sqliteFileSettings, sqlStores } from "./Application.ts"

/** What is done just before the next commits, in order; nothing where it is empty. */
export class Commits extends Context.Service<Commits, { readonly before: Array<Effect.Effect<void>> }>()(
  "outreach-forecast/test/Commits"
) {
  static readonly layer = Layer.sync(Commits, () => ({ before: [] }))
}

/** The stores' own transactions, with `Commits` between what they do and their commit. */
const transactions = Layer.effect(
  Transaction,
  Effect.gen(function* () {
    const { before } = yield* Commits
    const transaction = yield* Transaction
    const held = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.tap(effect, () => Effect.suspend(() => before.shift() ?? Effect.void))
    return Transaction.of({
      ...transaction,
      run: (effect) => transaction.run(held(effect)),
      // What a single statement does is committed with it, and there is no time between.
      runBatch: (effect, { lock = Effect.void }) => transaction.runBatch(held(effect), { lock })
    })
  })
).pipe(Layer.provideMerge(Commits.layer))

/** The services over in-memory stores, whose commits a test can hold up or let fail. */
export const memoryCommits = services.pipe(
  Layer.provideMerge(Payments.layer),
  Layer.provideMerge(transactions),
  Layer.provideMerge(memoryStores),
  Layer.provideMerge(Randomness.layer),
  Layer.provideMerge(settings())
)

/** The same over a new database of its own. */
const sqlCommits = (settingsLayer: ReturnType<typeof sqliteFileSettings>) =>
  services.pipe(
    Layer.provideMerge(Payments.layer),
    Layer.provideMerge(transactions),
    Layer.provideMerge(sqlStores),
    Layer.provideMerge(Randomness.layer),
    Layer.provideMerge(settingsLayer)
  )
export const sqliteCommits = sqlCommits(sqliteFileSettings())
export const postgresCommits = sqlCommits(postgresSettings())
