import { hash } from "node:crypto"
import { Clock, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Transaction } from "../database/Transaction.ts"
import type { KeyId } from "../keys/ApiKey.ts"
import { type Balance, Ledger, type LedgerEntry } from "./Ledger.ts"

/** The credits that come with a key, once. */
const previewCredits = 100

/** The key has no credits left; nothing was charged. */
export class UsageExhausted extends Schema.TaggedError<UsageExhausted>()("UsageExhausted", {}) {}

/** A key's use as answers show it: the UTC month, its successful forecasts in it, and the credits it has left. */
export const Usage = Schema.Struct({
  month: Schema.String.annotate({ description: "The current month in UTC.", examples: ["2026-11"] }),
  requests: Schema.Int.annotate({ description: "Successful forecasts of this key in the month.", examples: [12] }),
  credits_remaining: Schema.Int.annotate({ description: "Credits left on the key; they never expire.", examples: [88] })
}).annotate({
  identifier: "Usage",
  description: "What the key has used and has left.",
  examples: [{ month: "2026-11", requests: 12, credits_remaining: 88 }]
})
export type Usage = typeof Usage.Type

/** The proof of a debit: its ledger reference, and the key's use and balance after it. */
export interface Receipt {
  readonly reference: string
  readonly usage: Usage
  readonly balance: Balance
}

const monthOf = (millis: number) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis)).slice(0, 7)

/** The accounting of forecast credits. */
export class Credits extends Context.Service<
  Credits,
  {
    /** Takes one credit for a forecast and counts the month; durable before it returns. Fails with UsageExhausted. */
    readonly debit: (keyId: KeyId) => Effect.Effect<Receipt, UsageExhausted>
    /** Gives the preview credits, unless a key of the same address had them before. */
    readonly grantPreview: (keyId: KeyId, email: string) => Effect.Effect<Balance>
    /** Adds the credits of a paid pack; a reference that was used before is a defect. */
    readonly addPack: (keyId: KeyId, credits: number, reference: string) => Effect.Effect<Balance>
    /** Takes back up to `credits`, as many as are left; a reference that was used before is a defect. */
    readonly takeBack: (keyId: KeyId, credits: number, reference: string) => Effect.Effect<Balance>
    /** Brings a balance to `target` by an entry of `kind`, where it is not there already. */
    readonly setBalance: (keyId: KeyId, target: number, kind: LedgerEntry["kind"]) => Effect.Effect<Balance>
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
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom

      const debit = Effect.fn("Credits.debit")(function* (keyId: KeyId) {
        const createdAt = yield* Clock.currentTimeMillis
        const month = monthOf(createdAt)
        const reference = yield* random.uuidV7()
        const debited = yield* transaction.run(ledger.debit({ keyId, month, reference, createdAt }))
        if (Option.isNone(debited)) return yield* new UsageExhausted()
        const { granted, remaining, requests } = debited.value
        return { reference, usage: { month, requests, credits_remaining: remaining }, balance: { remaining, granted } }
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
        balance: ledger.balance,
        usage,
        months: ledger.months,
        history: ledger.entries
      })
    })
  )
}
