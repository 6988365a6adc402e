import { Array as Arr, Clock, Context, Effect, Layer, Result, Schema } from "effect"
import { batched } from "../Batched.ts"
import { Overloaded } from "../http/problems/HttpFailures.ts"
import { batchDuration, batchSize, creditsCharged, requestsWaiting } from "../observability/Metrics.ts"
import { Transaction } from "../database/Transaction.ts"
import type { KeyId } from "../KeyId.ts"
import { only } from "../Many.ts"
import { newId } from "../Randomness.ts"
import type { IdempotentRequest } from "../idempotency/IdempotentAnswers.ts"
import {
  Idempotency,
  type IdempotencyInProgress,
  type IdempotencyMismatch,
  type Replay
} from "../idempotency/Idempotency.ts"
import { type Account, Ledger } from "./Ledger.ts"
import type { Balance } from "../Balance.ts"
import { monthOf } from "./Month.ts"
import type { Usage } from "./Usage.ts"

/** The key has fewer credits left than the request costs; nothing was charged. Amounts are in credits. */
export class UsageExhausted extends Schema.TaggedError<UsageExhausted>()("UsageExhausted", {
  cost: Schema.Int,
  remaining: Schema.Int,
  granted: Schema.Int
}) {}

/** What is charged for. */
export interface ChargeRequest {
  readonly keyId: KeyId
  /** In credits, 1 or more: one for each forecast. */
  readonly cost: number
  /** Writes the answer that is paid for. It was computed before: this only adds the key's use to it. */
  readonly answer: (usage: Usage) => string
  /** Set where the caller may send the request again. */
  readonly idempotency?: IdempotentRequest | undefined
}

/** An answer with the key's balance, and the reference of its entry in the ledger: none for a replay. */
export interface Charge {
  readonly answer: string
  readonly balance: Balance
  readonly reference: string | undefined
}

/** Why a request was not charged. */
export type ChargeFailure = UsageExhausted | IdempotencyInProgress | IdempotencyMismatch | Overloaded

/** How many requests may wait to be charged. */
const mostWaiting = 1000

/** An account as of now: the UTC month, and the key's successful forecasts in it. */
export interface CurrentAccount extends Account {
  readonly month: string
  readonly requests: number
}

/** The accounting of forecast credits: what is charged, and what is left. */
export class Credits extends Context.Service<
  Credits,
  {
    /**
     * Takes the cost of an answer and counts its forecasts in the month; durable before it returns. A request that comes
     * again gets the answer that was kept for it, and costs nothing. Whatever it fails with, nothing was charged; only
     * where the connection to Postgres is lost just at the commit, nobody knows until the request comes again. Requests
     * that come together are charged in one transaction; one that is refused touches no other. Can be interrupted until
     * that begins. Fails with Overloaded where too many wait.
     */
    readonly charge: (keyId: KeyId, request: Omit<ChargeRequest, "keyId">) => Effect.Effect<Charge, ChargeFailure>
    /**
     * What a charge would come to as things are: the answer that was kept for the request, or undefined where it would be
     * charged. To be asked before an answer is computed that takes long.
     */
    readonly foresee: (request: Omit<ChargeRequest, "answer">) => Effect.Effect<Charge | undefined, ChargeFailure>
    readonly balance: (keyId: KeyId) => Effect.Effect<Balance>
    /** The balances of keys, in their order. */
    readonly balances: Ledger["Service"]["balances"]
    readonly account: (keyId: KeyId) => Effect.Effect<CurrentAccount>
    /** The accounts of keys, in their order. */
    readonly accounts: (keyIds: ReadonlyArray<KeyId>) => Effect.Effect<ReadonlyArray<CurrentAccount>>
    /** The entries of a key, newest first; see `Ledger`. */
    readonly history: Ledger["Service"]["entries"]
  }
>()("outreach-forecast/credits/Credits") {
  static readonly layer = Layer.effect(
    Credits,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const idempotency = yield* Idempotency
      const transaction = yield* Transaction

      /** Debits requests that are not replays. */
      const debitAll = Effect.fnUntraced(function* (requests: ReadonlyArray<ChargeRequest>) {
        const createdAt = yield* Clock.currentTimeMillis
        const month = monthOf(createdAt)
        const debits = requests.map(({ cost, keyId }) => ({ keyId, cost, reference: newId() }))
        const debited = yield* ledger.debit(debits, { createdAt, month })
        return Arr.zipWith(requests, Arr.zip(debits, debited), ({ answer }, [{ cost, reference }, after]) => {
          const { granted, isMade, remaining } = after
          if (!isMade) return Result.fail(new UsageExhausted({ cost, remaining, granted }))
          const usage = { month, requests: after.requests, credits_remaining: remaining }
          return Result.succeed({ answer: answer(usage), balance: { remaining, granted }, reference })
        })
      })

      /** As `debitAll`, for requests some of which may be replays. */
      const replayOrDebit = Effect.fnUntraced(function* (requests: ReadonlyArray<ChargeRequest>) {
        const replays = yield* idempotency.replays(requests.flatMap(({ idempotency }) => idempotency ?? []))
        const fresh: Array<ChargeRequest> = []
        const replayed: Array<readonly [ChargeRequest, Replay]> = []
        for (const request of requests) {
          const found = request.idempotency && replays.get(request.idempotency)
          if (found === undefined) fresh.push(request)
          else replayed.push([request, found])
        }
        const charged = Arr.zip(fresh, yield* debitAll(fresh))
        yield* idempotency.keep(
          charged.flatMap(([{ idempotency }, result]) =>
            idempotency !== undefined && Result.isSuccess(result) ? [[idempotency, result.success.answer] as const] : []
          )
        )
        const balances = yield* ledger.balances(replayed.map(([{ keyId }]) => keyId))
        const results = new Map<ChargeRequest, Result.Result<Charge, ChargeFailure>>(charged)
        for (const [[request, found], balance] of Arr.zip(replayed, balances)) {
          results.set(
            request,
            Result.map(found, (answer) => ({ answer, balance, reference: undefined }))
          )
        }
        return requests.flatMap((request) => results.get(request) ?? [])
      })

      const chargeRequests = Effect.fnUntraced(function* (requests: ReadonlyArray<ChargeRequest>) {
        if (requests.length === 0) return []
        if (requests.every(({ idempotency }) => idempotency === undefined)) {
          const isAtomic = requests.every(({ cost }) => cost === 1)
          return yield* transaction.runBatch(debitAll(requests), { isAtomic })
        }
        return yield* idempotency.exclusively(requests, (admitted) =>
          transaction.runBatch(replayOrDebit(admitted), { lock: ledger.lock(admitted.map(({ keyId }) => keyId)) })
        )
      })

      const chargeAll = (requests: ReadonlyArray<ChargeRequest>) =>
        Effect.tap(chargeRequests(requests), (results) => Effect.sync(() => countCharged(requests, results)))

      const charge = batched({
        name: "Credits.charge",
        all: chargeAll,
        shareOf: ({ keyId }) => keyId,
        ...transaction.batches,
        overflow: { capacity: mostWaiting, failure: () => new Overloaded() },
        onBegin: requestsWaiting,
        onEnd: (items, seconds) => {
          batchSize(items)
          batchDuration(seconds)
        }
      })

      const foresee = Effect.fn("Credits.foresee")(function* ({
        cost,
        idempotency: request,
        keyId
      }: Omit<ChargeRequest, "answer">) {
        const replay = request && (yield* idempotency.replays([request])).get(request)
        const balance = yield* Effect.flatMap(ledger.balances([keyId]), only)
        if (replay !== undefined) return { answer: yield* Effect.fromResult(replay), balance, reference: undefined }
        if (balance.remaining < cost) return yield* new UsageExhausted({ cost, ...balance })
        return undefined
      })

      const accounts = Effect.fn("Credits.accounts")(function* (keyIds: ReadonlyArray<KeyId>) {
        const month = monthOf(yield* Clock.currentTimeMillis)
        return (yield* ledger.accounts(keyIds)).map((account) => ({
          ...account,
          month,
          requests: account.months.find((counted) => counted.month === month)?.requests ?? 0
        }))
      })

      return Credits.of({
        charge: (keyId, request) => charge({ ...request, keyId }),
        foresee,
        balance: (keyId) => Effect.flatMap(ledger.balances([keyId]), only),
        balances: ledger.balances,
        account: (keyId) => Effect.flatMap(accounts([keyId]), only),
        accounts,
        history: ledger.entries
      })
    })
  )
}

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
