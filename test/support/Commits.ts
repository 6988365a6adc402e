import { Context, Effect, Layer } from "effect"
import { Transaction } from "../../src/database/Transaction.ts"
import type { Settings } from "../../src/Settings.ts"
import { application, stores } from "./Application.ts"

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
      runLocking: (effect) => transaction.runLocking(held(effect)),
      // What a single statement does is committed with it, and there is no time between.
      runStatement: (effect) => transaction.runLocking(held(effect))
    })
  })
).pipe(Layer.provideMerge(Commits.layer))

const held = <A, E>(stores: Layer.Layer<A | Transaction, E, Settings>) => transactions.pipe(Layer.provideMerge(stores))

/** The services over each kind of database, whose commits a test can hold up or let fail. */
export const memoryCommits = application({ stores: held(stores.memory) })
export const sqliteCommits = application({ stores: held(stores.SQLite) })
export const postgresCommits = application({ stores: held(stores.Postgres) })
