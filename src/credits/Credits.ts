import { hash } from "node:crypto"
import { Array as Arr, Clock, Context, Effect, Exit, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { batched, type Overloaded } from "../database/Batched.ts"
import { Transaction } from "../database/Transaction.ts"
import { quantity } from "../input/Numbers.ts"
import type { KeyId } from "../keys/KeyId.ts"
import { CreditsTooFew, CreditsTooMany, ReferenceTaken } from "./AdjustmentFailures.ts"
import type { IdempotentRequest } from "./AnswerStore.ts"
import { Idempotency, type IdempotencyInProgress, type IdempotencyMismatch, type Recalled } from "./Idempotency.ts"
import { type Balance, Ledger, type LedgerEntry } from "./Ledger.ts"
import { monthOf } from "./Month.ts"

/** The credits that come with a key, once. */
const previewCredits = 100

/** The key has no credits left; nothing was charged. */
export class UsageExhausted extends Schema.TaggedError<UsageExhausted>()("UsageExhausted", {}) {}

/** A key's use as answers show it: the UTC month, its successful forecasts in it, and the credits it has left. */
export const Usage = Schema.Struct({
  month: Schema.String.annotate({ description: "The current month in UTC.", examples: ["2026-11"] }),
  requests: quantity.annotate({ description: "Successful forecasts of this key in the month.", examples: [1] }),
  credits_remaining: quantity.annotate({ description: "Credits left on the key; they never expire.", examples: [99] })
}).annotate({
  identifier: "Usage",
  description: "What the key has used and has left.",
  examples: [{ month: "2026-11", requests: 1, credits_remaining: 99 }]
})
export type Usage = typeof Usage.Type

/** How many debits may wait for the commit before theirs. */
const mostWaiting = 1000

/** What is sold for a credit. */
export interface Sale {
  readonly keyId: KeyId
  /** Writes the answer that the credit is for. It is computed before: this only adds the key's use to it. */
  readonly answer: (usage: Usage) => string
  /** Set where the caller may send the request again. */
  readonly request?: IdempotentRequest | undefined
}

/** An answer with the key's balance, and the ledger reference of its credit: none where it was answered and paid before. */
export interface Receipt {
  readonly answer: string
  readonly balance: Balance
  readonly reference: string | undefined
}

/** The entry of an adjustment, and whether it was there before. */
export interface Adjusted {
  readonly entry: LedgerEntry
  readonly wasMadeBefore: boolean
}

/** The accounting of forecast credits. */
export class Credits extends Context.Service<
  Credits,
  {
    /**
     * Takes one credit for an answer and counts the month; durable before it returns. Debits that arrive together share a
     * transaction, in which the answer is kept if the request may come again; one that comes again gets that answer, and
     * costs nothing. Whatever it fails with, nothing was charged; only where the connection to Postgres is lost just at the
     * commit, nobody knows until the request comes again.
     */
    readonly debit: (
      sale: Sale
    ) => Effect.Effect<Receipt, UsageExhausted | IdempotencyInProgress | IdempotencyMismatch | Overloaded>
    /** Gives the preview credits, unless a key of the same address had them before. */
    readonly grantPreview: (keyId: KeyId, email: string) => Effect.Effect<Balance>
    /** Adds the credits of a paid pack; a reference that was used before is a defect. */
    readonly addPack: (keyId: KeyId, credits: number, reference: string) => Effect.Effect<Balance>
    /** Takes back up to `credits`, as many as are left; a reference that was used before is a defect. */
    readonly takeBack: (keyId: KeyId, credits: number, reference: string) => Effect.Effect<Balance>
    /** Brings a balance to `target` by an entry of `kind`, where it is not there already. */
    readonly setBalance: (keyId: KeyId, target: number, kind: LedgerEntry["kind"]) => Effect.Effect<Balance>
    /**
     * Adds `delta` credits, or takes them away below 0. With a reference it is safe to repeat: the same one with the same
     * key and delta changes nothing more. Fails with CreditsTooFew, CreditsTooMany above 2^53 - 1, and ReferenceTaken
     * where the reference stands for another change.
     */
    readonly adjust: (
      keyId: KeyId,
      delta: number,
      reference?: string
    ) => Effect.Effect<Adjusted, CreditsTooFew | CreditsTooMany | ReferenceTaken>
    readonly balance: (keyId: KeyId) => Effect.Effect<Balance>
    readonly usage: (keyId: KeyId) => Effect.Effect<Usage>
    /** The successful forecasts of a key by month, newest first. */
    readonly months: Ledger["Service"]["months"]
    /** The entries of a key, newest first; those written before the entry `before`, if it is given. */
    readonly history: Ledger["Service"]["entries"]
  }
>()("outreach-forecast/credits/Credits") {
  static readonly layer = Layer.effect(
    Credits,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const idempotency = yield* Idempotency
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom

      const replay = Effect.fnUntraced(function* ({ keyId }: Sale, recalled: Recalled) {
        const answer = yield* Effect.fromResult(recalled)
        return { answer, balance: yield* ledger.balance(keyId), reference: undefined }
      })

      /** Sells to all; what one of them is refused does not touch the others. */
      const settle = Effect.fnUntraced(function* (
        sales: ReadonlyArray<Sale>,
        requests: ReadonlyArray<IdempotentRequest>
      ) {
        const createdAt = yield* Clock.currentTimeMillis
        const month = monthOf(createdAt)
        // Before the look at what was answered: another instance may be answering the same request.
        if (requests.length > 0) yield* ledger.lock(sales.map(({ keyId }) => keyId))
        const recalled = yield* idempotency.recall(requests)
        const exits = new Map<Sale, Exit.Exit<Receipt, UsageExhausted | IdempotencyMismatch>>()
        for (const sale of sales) {
          const found = sale.request && recalled.get(sale.request)
          if (found !== undefined) exits.set(sale, yield* Effect.exit(replay(sale, found)))
        }
        const fresh = sales.filter((sale) => !exits.has(sale))
        const references = yield* Effect.replicateEffect(random.uuidV7(), fresh.length)
        const debits = Arr.zipWith(fresh, references, (sale, reference) => ({ sale, reference, keyId: sale.keyId }))
        const kept: Array<readonly [IdempotentRequest, string]> = []
        for (const [{ reference, sale }, after] of Arr.zip(debits, yield* ledger.debit(debits, { createdAt, month }))) {
          const exit = Option.match(after, {
            onNone: () => Exit.fail(new UsageExhausted()),
            onSome: ({ granted, remaining, requests }) => {
              const answer = sale.answer({ month, requests, credits_remaining: remaining })
              if (sale.request !== undefined) kept.push([sale.request, answer])
              return Exit.succeed({ answer, balance: { remaining, granted }, reference })
            }
          })
          exits.set(sale, exit)
        }
        yield* idempotency.keep(kept)
        return sales.flatMap((sale) => exits.get(sale) ?? [])
      })

      const sell = yield* batched({ ...transaction.batching, capacity: mostWaiting }, (sales: ReadonlyArray<Sale>) => {
        const requests = sales.flatMap(({ request }) => request ?? [])
        return (requests.length > 0 ? transaction.runLocking : transaction.runStatement)(settle(sales, requests))
      })

      const debit = Effect.fnUntraced(function* (sale: Sale) {
        const sold = sell(sale)
        return yield* sale.request === undefined ? sold : idempotency.exclusively(sale.request, sold)
      })

      const setBalance = Effect.fn("Credits.setBalance")(function* (
        keyId: KeyId,
        target: number,
        kind: LedgerEntry["kind"]
      ) {
        const createdAt = yield* Clock.currentTimeMillis
        const reference = yield* random.uuidV7()
        const before = yield* ledger.balance(keyId)
        const delta = target - before.remaining
        return delta === 0 ? before : yield* ledger.append({ keyId, kind, delta, reference, createdAt })
      }, transaction.run)

      const adjust = Effect.fn("Credits.adjust")(function* (keyId: KeyId, delta: number, name?: string) {
        const reference = name === undefined ? yield* random.uuidV7() : `adjustment:${name}`
        const made = yield* ledger.find(reference)
        if (Option.isSome(made)) {
          if (made.value.keyId === keyId && made.value.delta === delta)
            return { entry: made.value, wasMadeBefore: true }
          return yield* new ReferenceTaken({
            reference: name ?? reference,
            keyId: made.value.keyId,
            delta: made.value.delta
          })
        }
        const { granted, remaining } = yield* ledger.balance(keyId)
        if (remaining + delta < 0) return yield* new CreditsTooFew({ remaining, delta })
        if (granted + delta > Number.MAX_SAFE_INTEGER) return yield* new CreditsTooMany({ granted })
        const change = {
          keyId,
          kind: "adjustment" as const,
          delta,
          reference,
          createdAt: yield* Clock.currentTimeMillis
        }
        const after = yield* ledger.append(change)
        return { entry: { ...change, balanceAfter: after.remaining }, wasMadeBefore: false }
      }, transaction.run)

      const addPack = Effect.fn("Credits.addPack")(function* (keyId: KeyId, credits: number, reference: string) {
        const createdAt = yield* Clock.currentTimeMillis
        return yield* ledger.append({ keyId, kind: "credit_pack", delta: credits, reference, createdAt })
      }, transaction.run)

      const takeBack = Effect.fn("Credits.takeBack")(function* (keyId: KeyId, credits: number, reference: string) {
        const createdAt = yield* Clock.currentTimeMillis
        const before = yield* ledger.balance(keyId)
        const delta = -Math.min(credits, before.remaining)
        return delta === 0 ? before : yield* ledger.append({ keyId, kind: "adjustment", delta, reference, createdAt })
      }, transaction.run)

      const grantPreview = Effect.fn("Credits.grantPreview")(function* (keyId: KeyId, email: string) {
        const createdAt = yield* Clock.currentTimeMillis
        // The ledger keeps references for ever, and no address.
        const reference = `preview:${hash("sha256", email, "hex")}`
        if (yield* ledger.hasReference(reference)) return yield* ledger.balance(keyId)
        return yield* ledger.append({ keyId, kind: "preview_grant", delta: previewCredits, reference, createdAt })
      }, transaction.run)

      const usage = Effect.fn("Credits.usage")(function* (keyId: KeyId) {
        const month = monthOf(yield* Clock.currentTimeMillis)
        const { remaining } = yield* ledger.balance(keyId)
        return { month, requests: yield* ledger.requests(keyId, month), credits_remaining: remaining }
      })

      return Credits.of({
        debit,
        grantPreview,
        addPack,
        takeBack,
        setBalance,
        adjust,
        balance: ledger.balance,
        usage,
        months: ledger.months,
        history: ledger.entries
      })
    })
  )
}
