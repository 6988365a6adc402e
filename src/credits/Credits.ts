import { randomUUIDv7 } from "node:crypto"
import { Array as Arr, Clock, Context, Effect, Layer, Result, Schema } from "effect"
import { batchDuration, batchSize, creditsCharged, requestsWaiting } from "../observability/Telemetry.ts"
import { Transaction } from "../database/Transaction.ts"
import type { KeyId, KeyUnusable, SubKeyId } from "../KeyStatus.ts"
import type { IdempotentRequest } from "../idempotency/IdempotentAnswers.ts"
import { Idempotency, type IdempotencyMismatch, type Replay } from "../idempotency/Idempotency.ts"
import { Ledger } from "./Ledger.ts"
import {
  type Standing,
  type Balance,
  isPayable,
  noBalance,
  shownBalance,
  type UsageByMonth,
  usageByMonth,
  type Usage,
  usageIn
} from "./Balance.ts"
import { type LedgerDays, ledgerDaysBefore } from "./LedgerDays.ts"
import { monthOf } from "../text/Times.ts"

/** The key has fewer credits left than the request costs; nothing was charged. Amounts are in credits. */
export class UsageExhausted extends Schema.TaggedError<UsageExhausted>()("UsageExhausted", {
  cost: Schema.Int,
  remaining: Schema.Int,
  granted: Schema.Int
}) {}

/** The sub-key may spend fewer credits in the rest of the UTC month than the request costs; nothing was charged. */
export class SubKeyLimitReached extends Schema.TaggedError<SubKeyLimitReached>()("SubKeyLimitReached", {
  cost: Schema.Int,
  limit: Schema.Int,
  remaining: Schema.Int,
  month: Schema.String
}) {}

/** A request to charge. */
export interface ChargeRequest {
  readonly keyId: KeyId
  /** The sub-key of the request, unless it was sent with the key itself. */
  readonly subKeyId?: SubKeyId | undefined
  /** The cost in credits, 1 or more: one for each forecast. */
  readonly cost: number
  /** Completes the answer, which was computed before, with the usage of the key. */
  readonly answer: (usage: Usage) => string
  /** Set if the request may be retried: then its caller holds it while it is answered (`Idempotency.hold`). */
  readonly idempotency?: IdempotentRequest | undefined
}

/** An answer with the key's balance, and the reference of its ledger entry; undefined for a replay. */
export interface Charge {
  readonly answer: string
  readonly balance: Balance
  readonly reference: string | undefined
}

/** The reasons why a request was not charged: also that its key was revoked or deactivated while it waited. */
export type ChargeFailure = KeyUnusable | UsageExhausted | SubKeyLimitReached | IdempotencyMismatch

/** The accounting of forecast credits: charges, balances and usage. */
export class Credits extends Context.Service<
  Credits,
  {
    /**
     * Takes the cost of an answer and counts its forecasts in the month; durable before it returns. A retried request
     * gets the stored answer, and costs nothing. If it fails, nothing was charged, except that if the connection to
     * Postgres is lost during the commit, this is unknown until the request is retried.
     */
    readonly charge: (keyId: KeyId, request: Omit<ChargeRequest, "keyId">) => Effect.Effect<Charge, ChargeFailure>
    /**
     * The same for several requests in one transaction, in their order; a refused one does not affect the others. The
     * number of further ones that wait meanwhile is measured.
     */
    readonly chargeAll: (
      requests: ReadonlyArray<ChargeRequest>,
      waiting?: number
    ) => Effect.Effect<ReadonlyArray<Result.Result<Charge, ChargeFailure>>>
    /**
     * The outcome of a charge if it were made now: the stored answer to the request, or undefined if it would be
     * charged. To be called before an expensive computation.
     */
    readonly precheck: (request: Omit<ChargeRequest, "answer">) => Effect.Effect<Charge | undefined, ChargeFailure>
    /** The balance of a key, or as its sub-key may see it (`shownBalance`). */
    readonly balance: (keyId: KeyId, subKeyId?: SubKeyId) => Effect.Effect<Balance>
    /** The balances of keys, in their order. */
    readonly balances: Ledger["Service"]["balances"]
    /** The usage of a key, or of its sub-key alone. */
    readonly usage: (keyId: KeyId, subKeyId?: SubKeyId) => Effect.Effect<UsageByMonth>
    /** The usage of each key, in their order. */
    readonly usages: (keyIds: ReadonlyArray<KeyId>) => Effect.Effect<ReadonlyArray<UsageByMonth>>
    /** The forecasts of a key by day and sub-key; see `Ledger`. */
    readonly days: Ledger["Service"]["days"]
    /** The newest days of a key's ledger, or those before a UTC day. */
    readonly ledgerDays: (keyId: KeyId, before?: string) => Effect.Effect<LedgerDays>
    /** The entries of a key, newest first; see `Ledger`. */
    readonly history: Ledger["Service"]["entries"]
  }
>()("outreach-forecast/credits/Credits") {
  /** Gives each key this many credits, and keeps neither entries nor answers: for tests of what charges keys. */
  static readonly layerMemory = (granted: number) =>
    Layer.suspend(() => {
      const spent = new Map<KeyId, number>()
      const spentOf = (keyId: KeyId) => spent.get(keyId) ?? 0
      const balanceOf = (keyId: KeyId) => ({ granted, remaining: granted - spentOf(keyId) })
      const usage = (keyId: KeyId) =>
        Effect.map(timeNow, ({ month }) => usageByMonth(month, balanceOf(keyId), [{ month, requests: spentOf(keyId) }]))
      const precheck: Credits["Service"]["precheck"] = Effect.fnUntraced(function* ({ cost, keyId }) {
        const balance = balanceOf(keyId)
        if (!isPayable(cost, balance)) return yield* new UsageExhausted({ cost, ...balance })
      })
      const charge = Effect.fnUntraced(function* ({ answer, cost, keyId }: ChargeRequest) {
        yield* precheck({ keyId, cost })
        spent.set(keyId, spentOf(keyId) + cost)
        const [balance, { month }] = [balanceOf(keyId), yield* timeNow]
        return { answer: answer(usageIn(month, spentOf(keyId), balance)), balance, reference: randomUUIDv7() }
      })
      const balance = (keyId: KeyId) => Effect.sync(() => balanceOf(keyId))
      return Layer.mock(Credits, {
        charge: (keyId, request) => charge({ ...request, keyId }),
        chargeAll: (requests) => Effect.forEach(requests, (request) => Effect.result(charge(request))),
        precheck,
        balance,
        usage
      })
    })

  static readonly layer = Layer.effect(
    Credits,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const idempotency = yield* Idempotency
      const transaction = yield* Transaction

      const balanceOf = (keyId: KeyId, subKeyId?: SubKeyId): Effect.Effect<Balance> =>
        subKeyId === undefined
          ? Effect.map(ledger.balances([keyId]), ([balance = noBalance]) => balance)
          : Effect.map(
              Effect.flatMap(timeNow, (time) => ledger.standing(keyId, subKeyId, time)),
              shownBalance
            )

      /** Debits requests that are not replays. */
      const debitAll = Effect.fnUntraced(function* (requests: ReadonlyArray<ChargeRequest>) {
        const time = yield* timeNow
        const { month } = time
        const debits = requests.map((request) => ({ ...request, reference: randomUUIDv7() }))
        return Arr.zipWith(debits, yield* ledger.debit(debits, time), ({ answer, cost, reference }, after) =>
          Result.mapBoth(after, {
            onFailure: (standing) => refusalOf(cost, standing, month),
            onSuccess: (standing) => {
              const balance = shownBalance(standing)
              return { answer: answer(usageIn(month, standing.requests, balance)), balance, reference }
            }
          })
        )
      })

      /** Like `debitAll`, for requests of which some may be replays. */
      const replayOrDebit = Effect.fnUntraced(function* (requests: ReadonlyArray<ChargeRequest>) {
        const replays = yield* idempotency.replays(requests.flatMap(({ idempotency }) => idempotency ?? []))
        const unanswered: Array<ChargeRequest> = []
        const replayed: Array<readonly [ChargeRequest, Replay]> = []
        for (const request of requests) {
          const found = request.idempotency && replays.get(request.idempotency)
          if (found === undefined) unanswered.push(request)
          else replayed.push([request, found])
        }
        const charged = Arr.zip(unanswered, yield* debitAll(unanswered))
        yield* idempotency.keep(
          charged.flatMap(([{ idempotency }, result]) =>
            idempotency !== undefined && Result.isSuccess(result) ? [[idempotency, result.success.answer] as const] : []
          )
        )
        const results = new Map<ChargeRequest, Result.Result<Charge, ChargeFailure>>(charged)
        const balances = yield* ledger.balances(replayed.map(([{ keyId }]) => keyId))
        for (const [[request, found], ofKey] of Arr.zip(replayed, balances)) {
          const balance = request.subKeyId === undefined ? ofKey : yield* balanceOf(request.keyId, request.subKeyId)
          results.set(
            request,
            Result.map(found, (answer) => ({ answer, balance, reference: undefined }))
          )
        }
        return yield* Effect.forEach(requests, (request) => {
          const result = results.get(request)
          return result === undefined ? Effect.die(new Error("A request has no result")) : Effect.succeed(result)
        })
      })

      const chargeRequests = Effect.fnUntraced(function* (requests: ReadonlyArray<ChargeRequest>) {
        if (requests.every(({ idempotency }) => idempotency === undefined)) {
          return yield* transaction.runLocking(debitAll(requests))
        }
        const lock = ledger.lock(requests.map(({ keyId }) => keyId))
        return yield* transaction.runLocking(Effect.andThen(lock, replayOrDebit(requests)))
      })

      const chargeAll: Credits["Service"]["chargeAll"] = (requests, waiting = 0) =>
        Effect.suspend(() => {
          const startedAt = performance.now()
          requestsWaiting(waiting)
          batchSize(requests.length)
          const measured = Effect.sync(() => batchDuration((performance.now() - startedAt) / 1000))
          return Effect.map(Effect.ensuring(chargeRequests(requests), measured), (results) => {
            countCharged(requests, results)
            return results
          })
        })

      const charge = Effect.fnUntraced(function* (request: ChargeRequest) {
        const [result] = yield* chargeAll([request])
        return yield* result === undefined
          ? Effect.die(new Error("A request has no result"))
          : Effect.fromResult(result)
      })

      const precheck = Effect.fn("Credits.precheck")(function* ({
        cost,
        idempotency: request,
        keyId,
        subKeyId
      }: Omit<ChargeRequest, "answer">) {
        const replay = request && (yield* idempotency.replays([request])).get(request)
        if (replay !== undefined) {
          const answer = yield* Effect.fromResult(replay)
          return { answer, balance: yield* balanceOf(keyId, subKeyId), reference: undefined }
        }
        const time = yield* timeNow
        const standing = yield* ledger.standing(keyId, subKeyId, time)
        if (standing.unusable === undefined && isPayable(cost, standing)) return
        return yield* refusalOf(cost, standing, time.month)
      })

      const usages = Effect.fn("Credits.usages")(function* (keyIds: ReadonlyArray<KeyId>) {
        return yield* ledger.usages(keyIds, (yield* timeNow).month)
      })

      const usage = Effect.fn("Credits.usage")(function* (keyId: KeyId, subKeyId?: SubKeyId) {
        const { month } = yield* timeNow
        if (subKeyId === undefined) {
          const [found = usageByMonth(month, noBalance, [])] = yield* ledger.usages([keyId], month)
          return found
        }
        const byMonth = Map.groupBy(yield* ledger.days(keyId, { subKeyId }), ({ day }) => day.slice(0, 7))
        const months = [...byMonth]
          .map(([month, days]) => ({ month, requests: days.reduce((sum, { requests }) => sum + requests, 0) }))
          .toReversed()
        return usageByMonth(month, yield* balanceOf(keyId, subKeyId), months)
      })

      return Credits.of({
        charge: (keyId, request) => charge({ ...request, keyId }),
        chargeAll,
        precheck,
        balance: balanceOf,
        balances: ledger.balances,
        usage,
        usages,
        days: ledger.days,
        ledgerDays: (keyId, before = "9999-12-31") =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => ledgerDaysBefore(ledger, keyId, before, now)),
        history: ledger.entries
      })
    })
  ).pipe(Layer.provide(Idempotency.layer))
}

/**
 * The reason why a request cannot be charged: that of its key, then the balance or the limit of its sub-key, whichever
 * leaves less. The other one would tell the holder of the sub-key whether the key has this many credits.
 */
const refusalOf = (cost: number, { allowance, granted, remaining, unusable }: Standing, month: string) => {
  if (unusable !== undefined) return unusable
  if (allowance === undefined || remaining <= allowance.remaining) {
    return new UsageExhausted({ cost, remaining, granted })
  }
  const { limit } = allowance
  return new SubKeyLimitReached({ cost, limit, remaining: allowance.remaining, month })
}

/** The time of a debit that is made now. */
const timeNow = Effect.map(Clock.currentTimeMillis, (createdAt) => ({ createdAt, month: monthOf(createdAt) }))

const countCharged = (
  requests: ReadonlyArray<ChargeRequest>,
  results: ReadonlyArray<Result.Result<Charge, ChargeFailure>>
) => {
  let charged = 0
  for (const [{ cost }, result] of Arr.zip(requests, results)) {
    if (Result.isSuccess(result) && result.success.reference !== undefined) charged += cost
  }
  creditsCharged(charged)
}
