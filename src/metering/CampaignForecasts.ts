import { Array as Arr, Context, Effect, Layer } from "effect"
import type { IdempotentRequest } from "../idempotency/IdempotentAnswers.ts"
import { type Charge, type ChargeFailure, type ChargeRequest, Credits } from "../credits/Credits.ts"
import { Idempotency, type IdempotencyInProgress } from "../idempotency/Idempotency.ts"
import type { InvalidInput, MalformedJson } from "../input/InvalidInput.ts"
import type { KeyId, SubKeyId } from "../KeyId.ts"
import { Overloaded } from "../Overloaded.ts"
import { makeSlots } from "../Slots.ts"
import { listComparison, listForecasting, listLearning, listReading, listSum, listSummary } from "./computations.ts"
import { WorkerPool } from "../workers/WorkerPool.ts"
import { summaryOf } from "../forecast/list/CampaignForecast.ts"
import {
  type CampaignList,
  type CampaignsFormat,
  csvOf,
  jsonOf,
  type ListedCampaign
} from "../forecast/list/CampaignList.ts"
import { levelsToSum } from "../forecast/list/Portfolio.ts"

/** A request for the forecasts of many campaigns. */
export interface AuthenticatedList {
  readonly keyId: KeyId
  readonly subKeyId?: SubKeyId | undefined
  /** The campaigns, or the body with them and its format. */
  readonly body: CampaignList | { readonly text: string; readonly format: CampaignsFormat }
  /** The format of the answer. */
  readonly format: CampaignsFormat
  /**
   * Set if the call may be retried: its method and path, and the Idempotency-Key of the caller. Without a key,
   * identical calls of the operation count as one.
   */
  readonly idempotency: { readonly operation: string; readonly key: string | undefined } | undefined
  /** Called with the number of forecasts computed in vain: the client disconnected, or they could no longer be charged. */
  readonly onWasted?: (forecasts: number) => void
}

/**
 * The most lists: computed for a key at a time, of a key, and of all keys, as each holds several mebibytes of memory.
 */
const maxLists = { atOnce: 1, each: 4, all: 50 }

/** The most items sent to a worker at once: it computes as many as fit into its turn. */
const maxTogether = 25

/**
 * Forecasts many campaigns in one response, for one credit each: all of them or none. The lists of a key are computed
 * one after another; a history is learned once for each distinct set of rates. A request that the key cannot pay for is
 * refused before anything is computed. If the client disconnects, the computation ends and nothing is charged. When all
 * slots are taken, the newest list of the key with the most gives way to a key with at least two lists fewer.
 */
export class CampaignForecasts extends Context.Service<
  CampaignForecasts,
  {
    readonly forecast: (
      call: AuthenticatedList
    ) => Effect.Effect<Charge, ChargeFailure | IdempotencyInProgress | InvalidInput | MalformedJson | Overloaded>
  }
>()("outreach-forecast/metering/CampaignForecasts") {
  static readonly layer = Layer.effect(
    CampaignForecasts,
    Effect.gen(function* () {
      const credits = yield* Credits
      const pool = yield* WorkerPool
      const { exclusively } = yield* Idempotency
      const slots = makeSlots({ ...maxLists, refusal: () => new Overloaded() })

      /** Runs a computation on each item, a few at a time, in all free workers. */
      const computeEach = Effect.fnUntraced(function* <A, B>(
        items: ReadonlyArray<A>,
        compute: (some: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, Overloaded>
      ) {
        const computed: Array<B> = []
        const left: Array<ReadonlyArray<{ readonly item: A; readonly index: number }>> = Arr.chunksOf(
          items.map((item, index) => ({ item, index })),
          maxTogether
        )
        const next: Effect.Effect<void, Overloaded> = Effect.suspend(() => {
          const some = left.shift()
          if (some === undefined) return Effect.void
          return Effect.flatMap(compute(some.map(({ item }) => item)), (results) => {
            for (const [i, result] of results.entries()) computed[some[i]?.index ?? 0] = result
            if (results.length < some.length) left.unshift(some.slice(results.length))
            return next
          })
        })
        yield* Effect.all(Arr.replicate(next, pool.size), { concurrency: "unbounded", discard: true })
        return computed
      })

      /** The response without the usage of the key, which is known only after the charge. */
      const answerTo = Effect.fnUntraced(function* (
        { format, keyId }: AuthenticatedList,
        { campaigns, lessons, names }: CampaignList,
        onComputed: (forecasts: number) => void
      ): Effect.fn.Return<ChargeRequest["answer"], Overloaded> {
        const computeCounted = <A, B>(
          items: ReadonlyArray<A>,
          compute: (some: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, Overloaded>
        ) =>
          computeEach(items, (some) => Effect.tap(compute(some), ({ length }) => Effect.sync(() => onComputed(length))))
        const { campaigns: learning = [], history = "", places = [] } = lessons ?? {}
        const learnings = yield* computeCounted(
          learning.map((text, index) => ({ text, isFirst: index === 0 })),
          (some) => pool.compute(keyId, (run) => run(listLearning, { history, campaigns: some }))
        )
        const listed = campaigns.map((text, index): ListedCampaign => {
          const learned = learnings[places[index] ?? 0]?.learned
          return learned === undefined ? { text } : { text, learned }
        })
        const forecasts = yield* computeCounted(listed, (some) =>
          pool.compute(keyId, (run) => run(listForecasting, { campaigns: some, format }))
        )
        const columns = yield* computeEach(levelsToSum(listed.length, lessons !== undefined), (levels) =>
          pool.compute(keyId, (run) => run(listSum, { campaigns: listed, levels }))
        )
        const overview = yield* pool.compute(keyId, (run) =>
          run(listSummary, {
            contributions: forecasts.map(({ contribution }) => contribution),
            columns,
            record: learnings[0]?.track_record ?? null
          })
        )
        const { by, positions } = overview
        const ranked = positions.flatMap((position) => listed[position] ?? [])
        const chances = yield* computeEach(Arr.zip(ranked, ranked.slice(1)), (pairs) =>
          pool.compute(keyId, (run) => run(listComparison, { by, pairs }))
        )
        const summary = summaryOf(names, overview, chances)
        const texts = forecasts.map(({ text }) => text)
        if (format === "csv") {
          const text = csvOf({ campaigns, names }, texts, summary)
          return () => text
        }
        const text = jsonOf(texts, summary)
        return (usage) => `${text},"usage":${JSON.stringify(usage)}}`
      })

      const forecastList = Effect.fnUntraced(function* (
        call: AuthenticatedList,
        list: CampaignList,
        idempotency: IdempotentRequest | undefined,
        turn: Effect.Effect<void, Overloaded>
      ) {
        const { keyId, subKeyId } = call
        const cost = list.campaigns.length
        const precheck = credits.precheck({ keyId, subKeyId, cost, idempotency })
        let computed = 0
        const wasted = Effect.sync(() => call.onWasted?.(computed))
        const charge = Effect.gen(function* () {
          const answer = yield* Effect.onInterrupt(
            answerTo(call, list, (forecasts) => (computed += forecasts)),
            () => wasted
          )
          return yield* Effect.tapErrorTag(
            credits.charge(keyId, { subKeyId, cost, answer, idempotency }),
            ["UsageExhausted", "SubKeyLimitReached", "KeyRevoked", "PlanInactive"],
            () => wasted
          )
        })
        const charged = yield* precheck
        if (charged !== undefined) return charged
        yield* turn
        // Earlier lists may have used the credits.
        return (yield* precheck) ?? (yield* charge)
      })

      const forecast = Effect.fnUntraced(function* (call: AuthenticatedList, turn: Effect.Effect<void, Overloaded>) {
        const { body, keyId } = call
        const list = "text" in body ? yield* pool.compute(keyId, (run) => run(listReading, body)) : body
        const request = requestOf(call, list)
        return yield* exclusively(request, forecastList(call, list, request, turn))
      })

      return CampaignForecasts.of({
        forecast: (call) => slots.use(call.keyId, (turn) => forecast(call, turn))
      })
    })
  ).pipe(Layer.provide(Idempotency.layer))
}

/** Identifies a call by its key, campaigns and format, so that a retry is recognized. */
const requestOf = (
  { format, idempotency, keyId, subKeyId }: AuthenticatedList,
  list: CampaignList
): IdempotentRequest | undefined => {
  if (idempotency === undefined) return undefined
  const fingerprint = `${format} ${list.fingerprint}`
  return {
    scope: subKeyId ?? keyId,
    operation: idempotency.operation,
    key: idempotency.key ?? fingerprint,
    fingerprint
  }
}
