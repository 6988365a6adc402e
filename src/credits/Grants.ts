import { hash } from "node:crypto"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { onceCommitted, Transaction } from "../database/Transaction.ts"
import type { KeyId } from "../KeyStatus.ts"
import { creditsGranted } from "../observability/Telemetry.ts"
import { Ledger } from "./Ledger.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"
import { type Balance, noBalance } from "./Balance.ts"

/** The adjustment would take more than is left; nothing was changed. */
export class CreditsTooFew extends Schema.TaggedError<CreditsTooFew>()("CreditsTooFew", {
  remaining: Schema.Int,
  delta: Schema.Int
}) {
  override get message() {
    return `The key has ${this.remaining} credits left, so ${-this.delta} cannot be taken; the maximum is ${this.remaining}`
  }
}

/** The adjustment would bring a key above 2^53 - 1 credits, the largest number that is exact; nothing was changed. */
export class CreditsTooMany extends Schema.TaggedError<CreditsTooMany>()("CreditsTooMany", { granted: Schema.Int }) {
  override get message() {
    return `The key was granted ${this.granted} credits; its total cannot exceed ${Number.MAX_SAFE_INTEGER}. Grant fewer`
  }
}

/** The reference was already used for a different change of credits; nothing was changed. */
export class ReferenceTaken extends Schema.TaggedError<ReferenceTaken>()("ReferenceTaken", {
  reference: Schema.String,
  keyId: Schema.String,
  delta: Schema.Int
}) {
  override get message() {
    return `The reference ${this.reference} was already used for a change of ${this.delta} credits of the key ${this.keyId}; use a different reference`
  }
}

/** The credits that come with a key, once. */
const previewCredits = 100

/** The ledger keeps references forever, so they must not contain an address. */
const previewReference = (mailbox: string) => `preview:${hash("sha256", mailbox, "hex")}`

/** All changes of credits other than charges for forecasts. Each change is one transaction. */
export class Grants extends Context.Service<
  Grants,
  {
    /** True if a mailbox has had the preview credits. */
    readonly hadPreview: (mailbox: string) => Effect.Effect<boolean>
    /** Grants the preview credits to a key, unless the mailbox of its owner has had them. */
    readonly grantPreview: (keyId: KeyId, mailbox: string) => Effect.Effect<void>
    /** Adds the credits of a paid pack; a reference that was used before is a defect. */
    readonly addPack: (keyId: KeyId, credits: number, reference: string) => Effect.Effect<Balance>
    /** Takes back up to `credits`, as many as are left; a reference that was used before is a defect. */
    readonly takeBack: (keyId: KeyId, credits: number, reference: string) => Effect.Effect<void>
    /** Sets a balance to `target` by an entry of `kind`, unless it is there already. */
    readonly setBalance: (keyId: KeyId, target: number, kind: LedgerEntry["kind"]) => Effect.Effect<void>
    /**
     * Adds `delta` credits, or removes them if it is negative. With a reference it is safe to repeat: the same one with
     * the same key and delta changes nothing more, and returns the entry that was made before. Fails with
     * CreditsTooFew, CreditsTooMany above 2^53 - 1, and ReferenceTaken if the reference was used for a different change.
     */
    readonly adjust: (
      keyId: KeyId,
      delta: number,
      reference?: string
    ) => Effect.Effect<
      { readonly entry: Omit<LedgerEntry, "id" | "subKey">; readonly wasMadeBefore: boolean },
      CreditsTooFew | CreditsTooMany | ReferenceTaken
    >
  }
>()("outreach-forecast/credits/Grants") {
  static readonly layer = Layer.effect(
    Grants,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom

      const append = (entry: Parameters<Ledger["Service"]["append"]>[0]) =>
        Effect.tap(ledger.append(entry), () => onceCommitted(() => creditsGranted(Math.max(entry.delta, 0))))

      const balanceOf = (keyId: KeyId) => Effect.map(ledger.balances([keyId]), ([balance = noBalance]) => balance)

      const setBalance = Effect.fn("Grants.setBalance")(function* (
        keyId: KeyId,
        target: number,
        kind: LedgerEntry["kind"]
      ) {
        const createdAt = yield* Clock.currentTimeMillis
        const reference = yield* random.uuidV7()
        const delta = target - (yield* balanceOf(keyId)).remaining
        if (delta !== 0) yield* append({ keyId, kind, delta, reference, createdAt })
      }, transaction.run)

      const adjust = Effect.fn("Grants.adjust")(function* (keyId: KeyId, delta: number, name?: string) {
        const reference = name === undefined ? yield* random.uuidV7() : `adjustment:${name}`
        const made = yield* ledger.find(reference)
        if (Option.isSome(made)) {
          const { value: entry } = made
          if (entry.keyId === keyId && entry.delta === delta) return { entry, wasMadeBefore: true }
          return yield* new ReferenceTaken({ reference: name ?? reference, keyId: entry.keyId, delta: entry.delta })
        }
        const { granted, remaining } = yield* balanceOf(keyId)
        if (remaining + delta < 0) return yield* new CreditsTooFew({ remaining, delta })
        if (granted + delta > Number.MAX_SAFE_INTEGER) return yield* new CreditsTooMany({ granted })
        const createdAt = yield* Clock.currentTimeMillis
        const change = { keyId, kind: "adjustment" as const, delta, reference, createdAt }
        const after = yield* append(change)
        return { entry: { ...change, balanceAfter: after.remaining }, wasMadeBefore: false }
      }, transaction.run)

      const addPack = Effect.fn("Grants.addPack")(function* (keyId: KeyId, credits: number, reference: string) {
        const createdAt = yield* Clock.currentTimeMillis
        return yield* append({ keyId, kind: "credit_pack", delta: credits, reference, createdAt })
      }, transaction.run)

      const takeBack = Effect.fn("Grants.takeBack")(function* (keyId: KeyId, credits: number, reference: string) {
        const createdAt = yield* Clock.currentTimeMillis
        const delta = -Math.min(credits, (yield* balanceOf(keyId)).remaining)
        if (delta !== 0) yield* append({ keyId, kind: "adjustment", delta, reference, createdAt })
      }, transaction.run)

      const hadPreview = (mailbox: string) => Effect.map(ledger.find(previewReference(mailbox)), Option.isSome)

      const grantPreview = Effect.fn("Grants.grantPreview")(function* (keyId: KeyId, mailbox: string) {
        if (yield* hadPreview(mailbox)) return
        const createdAt = yield* Clock.currentTimeMillis
        const reference = previewReference(mailbox)
        yield* append({ keyId, kind: "preview_grant", delta: previewCredits, reference, createdAt })
      }, transaction.run)

      return Grants.of({ hadPreview, grantPreview, addPack, takeBack, setBalance, adjust })
    })
  )
}
