import { Context, Effect, Layer, type Scope } from "effect"
import type { Charge } from "../../credits/Credits.ts"
import type { CampaignsFormat, ListAnswer, ListProgress, ListRequest } from "./CampaignList.ts"
import { Idempotency, type IdempotencyInProgress } from "../../idempotency/Idempotency.ts"
import type { InvalidInput, MalformedJson } from "../../input/InvalidInput.ts"
import { makeSlots, Overloaded } from "../../Limits.ts"
import { type Answer, Forecasts, idempotentRequest, type Payer, type SaleFailure } from "../../metering/Forecasts.ts"
import { WorkerPool } from "../../workers/WorkerPool.ts"
import { listForecasting } from "./listForecasting.ts"

/** A list of campaigns that has been decoded, and is kept while the scope is open. */
export interface DecodedList extends Pick<ListProgress, "campaigns" | "fingerprint"> {
  /**
   * Forecasts the list, at most 100 ms in a turn. `admit` runs when each turn has come, and `onComputed` with the
   * number of campaigns forecast so far when it ends.
   */
  readonly forecast: <E>(
    admit: Effect.Effect<void, E>,
    onComputed: (campaigns: number) => void
  ) => Effect.Effect<ListAnswer, E | Overloaded>
}

/** The most lists: in progress for a key at a time, of a key, and of all keys, as each holds several mebibytes. */
const maxLists = { atOnce: 1, each: 4, all: 50 }

/** A list of a key, which is received and decoded once no call with the same Idempotency-Key is being answered. */
export interface AuthenticatedList<E> extends Payer {
  readonly decode: Effect.Effect<DecodedList, E, Scope.Scope>
  readonly answer: CampaignsFormat
}

/** Lists of campaigns: decoded and forecast in a thread, and charged a credit for each campaign, all or none. */
export class Lists extends Context.Service<
  Lists,
  {
    /** Decodes a list of campaigns, in a turn of a key. The lists of a key are in progress one after another. */
    readonly decode: (
      request: ListRequest,
      key: string
    ) => Effect.Effect<DecodedList, InvalidInput | MalformedJson | Overloaded, Scope.Scope>
    /** Answers a list, like `Forecasts.forecast`. Once its key is revoked or its credits are spent, it ends. */
    readonly forecast: <E>(call: AuthenticatedList<E>) => Effect.Effect<Charge, SaleFailure | IdempotencyInProgress | E>
  }
>()("outreach-forecast/lists/Lists") {
  static readonly layer = Layer.effect(
    Lists,
    Effect.gen(function* () {
      const pool = yield* WorkerPool
      const forecasts = yield* Forecasts
      const { exclusively } = yield* Idempotency
      const lists = makeSlots({ ...maxLists, refusal: () => new Overloaded() })

      const decode = Effect.fnUntraced(function* (request: ListRequest, key: string) {
        yield* Effect.flatten(lists.enter(key))
        const next = yield* pool.begin({ key }, listForecasting, request)
        const decoded = yield* next((piece) => piece)
        if (decoded.done) return yield* Effect.die(new Error("A list is forecast in several steps"))
        const forecast: DecodedList["forecast"] = (admit, onComputed) =>
          next((piece) =>
            Effect.andThen(admit, Effect.catchTag(piece, ["InvalidInput", "MalformedJson"], Effect.die)).pipe(
              Effect.tap(({ done, value }) => Effect.sync(() => (done ? undefined : onComputed(value.computed))))
            )
          ).pipe(Effect.flatMap(({ done, value }) => (done ? Effect.succeed(value) : forecast(admit, onComputed))))
        return { ...decoded.value, forecast }
      })

      return Lists.of({
        decode,
        forecast: (call) => {
          const { answer, decode } = call
          const sold = Effect.flatMap(Effect.interruptible(decode), ({ campaigns, fingerprint, forecast }) =>
            forecasts.sell(call, { cost: campaigns, fingerprint: `${answer} ${fingerprint}` }, (admit, onComputed) =>
              Effect.map(forecast(admit, onComputed), textOf)
            )
          )
          // Without an Idempotency-Key, identical lists wait for each other, as all lists of a key do.
          const held = call.idempotency?.key === undefined ? undefined : idempotentRequest(call, "")
          return exclusively(held, Effect.scoped(sold))
        }
      })
    })
  ).pipe(Layer.provide(Idempotency.layer))
}

/** A JSON object from the texts of its members, which may be megabytes: parsing them would block the event loop. */
export const objectText = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(",")}}`

const textOf = (answer: ListAnswer): Answer =>
  "csv" in answer ? () => answer.csv : (usage) => objectText({ ...answer.members, usage: JSON.stringify(usage) })
