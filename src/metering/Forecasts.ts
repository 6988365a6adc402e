import { hash } from "node:crypto"
import { Context, Data, Effect, Layer, type Scope } from "effect"
import { type Charge, type ChargeFailure, type ChargeRequest, Credits } from "../credits/Credits.ts"
import type { Usage } from "../credits/Balance.ts"
import { type DecodedList, Forecaster } from "../forecast/Forecaster.ts"
import type { CampaignsFormat, ListAnswer } from "../forecast/list/CampaignList.ts"
import { Idempotency, type IdempotencyInProgress } from "../idempotency/Idempotency.ts"
import type { KeyId, SubKeyId } from "../KeyId.ts"
import type { PaidRequest } from "./Operations.ts"

/** The key that pays for a request. */
export interface Payer {
  readonly keyId: KeyId
  readonly subKeyId?: SubKeyId | undefined
  /**
   * Set if the call may be retried: its method and path, and the Idempotency-Key of the caller. Without a key,
   * identical calls of the operation count as one.
   */
  readonly idempotency: { readonly operation: string; readonly key: string | undefined } | undefined
  /** Called with the number of forecasts computed in vain: the client left, or they could no longer be charged. */
  readonly onWasted?: (forecasts: number) => void
}

/** A request of a key for one credit. */
export interface AuthenticatedRequest extends Payer {
  readonly request: PaidRequest
}

/** A list of a key, which is received and decoded once no call with the same Idempotency-Key is being answered. */
export interface AuthenticatedList<E> extends Payer {
  readonly decode: Effect.Effect<DecodedList, E, Scope.Scope>
  readonly answer: CampaignsFormat
}

/** Ends the turn of a call whose answer is stored. */
class Answered extends Data.TaggedClass("Answered")<{ readonly charge: Charge }> {}

/** Completes an answer with the usage of its key. */
type Answer = (usage: Usage) => string

/**
 * Forecasts, goals, campaigns in flight and lists as texts, for a credit each, and one for each campaign of a list: all
 * of them or none. An answer is computed before its credits are taken; from then on, a disconnecting client interrupts
 * nothing, so every charge has a response and a ledger entry. A call that waits for its turn is refused before it is
 * computed if the credits do not suffice then.
 */
export class Forecasts extends Context.Service<
  Forecasts,
  {
    /**
     * Answers a call; the usage of the key comes last. Interruptible until the credit is taken. Fails with
     * IdempotencyInProgress, and computes nothing, while the same call is being answered.
     */
    readonly forecast: (call: AuthenticatedRequest) => Effect.Effect<Charge, ChargeFailure | IdempotencyInProgress>
    /** Answers a list, like `forecast`. Once its key is revoked or its credits are spent, the computation ends. */
    readonly list: <E>(call: AuthenticatedList<E>) => Effect.Effect<Charge, ChargeFailure | IdempotencyInProgress | E>
  }
>()("outreach-forecast/metering/Forecasts") {
  static readonly layer = Layer.effect(
    Forecasts,
    Effect.gen(function* () {
      const credits = yield* Credits
      const forecaster = yield* Forecaster
      const { exclusively } = yield* Idempotency

      /** Charges an answer that `compute` computes if `admit` does not fail. */
      const sell = (
        { keyId, onWasted, subKeyId }: Payer,
        charged: Pick<ChargeRequest, "cost" | "idempotency">,
        compute: (
          admit: Effect.Effect<void, ChargeFailure | Answered>,
          onComputed: (forecasts: number) => void
        ) => Effect.Effect<Answer, ChargeFailure | Answered>
      ) =>
        Effect.suspend(() => {
          const request = { subKeyId, ...charged }
          let computed = 0
          const countWasted = Effect.sync(() => onWasted?.(computed))
          const admit = Effect.suspend(() => credits.precheck({ keyId, ...request })).pipe(
            Effect.flatMap((charge) => (charge === undefined ? Effect.void : Effect.fail(new Answered({ charge }))))
          )
          return compute(admit, (forecasts) => void (computed = forecasts)).pipe(
            Effect.interruptible,
            Effect.flatMap((answer) => credits.charge(keyId, { ...request, answer })),
            Effect.onInterrupt(() => countWasted),
            Effect.tapError(() => countWasted),
            Effect.catchTag("Answered", ({ charge }) => Effect.succeed(charge))
          )
        })

      return Forecasts.of({
        forecast: (call) => {
          const idempotency = call.idempotency && idempotentRequest(call, fingerprintOf(call.request))
          const sold = sell(call, { cost: 1, idempotency }, (admit, onComputed) => {
            const begin = Effect.tap(admit, () => Effect.sync(() => onComputed(1)))
            return Effect.map(call.request.compute(forecaster, { of: { key: call.keyId }, admit: begin }), withUsage)
          })
          return exclusively(idempotency, sold)
        },

        list: (call) => {
          const { answer, decode, idempotency } = call
          const sold = Effect.flatMap(Effect.interruptible(decode), ({ campaigns, fingerprint, forecast }) => {
            const idempotency = idempotentRequest(call, `${answer} ${fingerprint}`)
            return sell(call, { cost: campaigns, idempotency }, (admit, onComputed) =>
              Effect.map(forecast(admit, onComputed), textOf)
            )
          })
          // Without an Idempotency-Key, identical lists wait for each other, as all lists of a key do.
          const held = idempotency?.key === undefined ? undefined : idempotentRequest(call, "")
          return exclusively(held, Effect.scoped(sold))
        }
      })
    })
  ).pipe(Layer.provide(Idempotency.layer))
}

/** The text of an answer, an object. It is kept instead of the answer until the credit is taken. */
const withUsage = (computed: object): Answer => {
  const members = JSON.stringify(computed).slice(0, -1)
  return (usage) => `${members},"usage":${JSON.stringify(usage)}}`
}

/** A JSON object from the texts of its members, which may be megabytes: parsing them would block the event loop. */
export const objectText = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(",")}}`

const textOf = (answer: ListAnswer): Answer =>
  "csv" in answer ? () => answer.csv : (usage) => objectText({ ...answer.members, usage: JSON.stringify(usage) })

/** Identical calls have the same fingerprint, however they are spelled: the SHA-256 of their exact values. */
const fingerprintOf = ({ canonical }: PaidRequest) => hash("sha256", canonical(), "base64url")

const idempotentRequest = (
  { idempotency, keyId, subKeyId }: Payer,
  fingerprint: string
): ChargeRequest["idempotency"] => {
  if (idempotency === undefined) return undefined
  const { key = fingerprint, operation } = idempotency
  return { scope: subKeyId ?? keyId, operation, key, fingerprint }
}
