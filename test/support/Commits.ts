import { Context, Effect, Layer } from "effect"
import { Transaction } from "../../src/database/Transaction.ts"
import { applicationsWith } from "./Application.ts"

/** Effects that run just before the next commits, one each, in order. */
export class Commits extends Context.Service<Commits, { readonly before: Array<Effect.Effect<void>> }>()(
  "outreach-forecast/test/Commits"
) {
  static readonly layer = Layer.sync(Commits, () => ({ before: [] }))
}

/** The stores' own transactions, which run an effect of `Commits` before their commit. */
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
      runLocking: (effect) => transaction.runLocking(held(effect))
    })
  })
).pipe(Layer.provideMerge(Commits.layer))

/** The services over each kind of database, whose commits a test can hold up or let fail. */
const held = applicationsWith<Commits>((stores) => transactions.pipe(Layer.provideMerge(stores)))
export const sqliteCommits = held.SQLite
export const postgresCommits = held.Postgres
