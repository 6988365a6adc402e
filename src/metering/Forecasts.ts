import { hash } from "node:crypto"
import { Array as Arr, Context, Data, Effect, Exit, Function, Layer, Result } from "effect"
import { type InvalidKey, invalidKey } from "../keys/KeyFailures.ts"
import { type Charge, type ChargeFailure, type ChargeRequest, Credits } from "../credits/Credits.ts"
import type { Usage } from "../credits/Balance.ts"
import type { InvalidInput, MalformedJson } from "../input/InvalidInput.ts"
import { Forecaster } from "../forecast/Forecaster.ts"
import { Idempotency, IdempotencyInProgress } from "../idempotency/Idempotency.ts"
import type { KeyId, KeyUnusable, SubKeyId } from "../KeyStatus.ts"
import { Authenticator, type Found } from "../keys/Authenticator.ts"
import { makeSlots, Overloaded } from "../Limits.ts"
import { inBatch, makeBatches } from "../database/Batches.ts"
import { Transaction } from "../database/Transaction.ts"
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

/** Ends the turn of a call whose answer is stored. */
class Answered extends Data.TaggedClass("Answered")<{ readonly charge: Charge }> {}

/** The reasons why a request was not sold: nothing was charged. */
export type SaleFailure = ChargeFailure | Overloaded

/** The reasons why a body could not be read. */
type Unreadable = InvalidInput | MalformedJson

type QuickFailure = SaleFailure | InvalidKey | Unreadable | IdempotencyInProgress

/** The needs of a quick request besides its body. */
export interface QuickCall {
  /** As that of a `Payer`, with the Idempotency-Key of the caller. */
  readonly idempotency?: { readonly operation: string; readonly key: string } | undefined
  /** Called when nothing else prevents it; false if it has to wait for the limits of its key. */
  readonly admit: () => boolean
  /** Called with the end, and with the key that was found; undefined if nothing was looked up. */
  readonly onEnd: (charged: Exit.Exit<Charge, QuickFailure>, found: Found | undefined) => void
}

/** The secret of a quick request, whose key is looked up with the charge. */
interface Sought {
  readonly hash: string
  found: Found | undefined
}

/** A request that may be retried, whoever it is of. */
type Retried = Omit<NonNullable<ChargeRequest["idempotency"]>, "scope">

/** A charge of a key, or of that of a secret, once its answer is computed. */
interface Charging extends Pick<ChargeRequest, "cost"> {
  readonly payer: Pick<ChargeRequest, "keyId" | "subKeyId"> | Sought
  /** Set if the request may be retried: held already, unless its key is still sought. */
  readonly retried: Retried | undefined
  readonly answer: Effect.Effect<Answer, Overloaded | Unreadable>
}

/**
 * The most charges: of one key in flight, so that they do not delay those of other keys, and of all keys in flight or
 * waiting.
 */
const maxCharges = { atOnce: 64, all: 1000 }

const noEnd = Exit.die(new Error("A call has no end"))

/** Completes an answer with the usage of its key. */
export type Answer = (usage: Usage) => string

/** Computes an answer once `admit` has not failed, and reports how many forecasts of it are computed. */
type ComputeAnswer = <E>(
  admit: Effect.Effect<void, E>,
  onComputed: (forecasts: number) => void
) => Effect.Effect<Answer, E | Overloaded>

/**
 * Sells forecasts, which the `Forecaster` computes, and whatever else costs credits, as texts. An answer is computed
 * before its credits are taken; from then on, a disconnecting client interrupts nothing, so every charge has a response
 * and a ledger entry. A call that waits for its turn is refused before it is computed if the credits do not suffice then.
 */
export class Forecasts extends Context.Service<
  Forecasts,
  {
    /**
     * Answers a call; the usage of the key comes last. Interruptible until the credit is taken. While the same call is
     * being answered, computes nothing: one without an Idempotency-Key waits, and one with it fails with
     * IdempotencyInProgress.
     */
    readonly forecast: (call: AuthenticatedRequest) => Effect.Effect<Charge, SaleFailure | IdempotencyInProgress>
    /**
     * Answers a quick request, or one that could not be read, together with others, without a fiber of its own: its key
     * is looked up when its credit is taken, or would be. Returns a function that takes the request back, or returns false
     * once that has begun; undefined if the request has to wait for others of its key, or is not admitted.
     */
    readonly quickly: (
      secret: { readonly hash: string; readonly bucket: string },
      request: Result.Result<PaidRequest, Unreadable>,
      call: QuickCall
    ) => (() => boolean) | undefined
    /**
     * Charges an answer that is computed before, once its key can pay for it. Requests with the same fingerprint are
     * the same, for their Idempotency-Key. Interruptible until the credits are taken.
     */
    readonly sell: (
      payer: Payer,
      request: { readonly cost: number; readonly fingerprint: string },
      compute: ComputeAnswer
    ) => Effect.Effect<Charge, SaleFailure>
  }
>()("outreach-forecast/metering/Forecasts") {
  static readonly layer = Layer.effect(
    Forecasts,
    Effect.gen(function* () {
      const credits = yield* Credits
      const forecaster = yield* Forecaster
      const authenticator = yield* Authenticator
      const { batches } = yield* Transaction
      const context = yield* Effect.context()
      const { exclusively, hold, untilAnswered } = yield* Idempotency

      const slots = makeSlots({ ...maxCharges, refusal: () => new Overloaded() })

      /**
       * Looks up keys, computes answers, and takes the credits of those that can be paid in one transaction. `held` gets
       * functions that release what is held meanwhile.
       */
      const chargeHolding = Effect.fnUntraced(function* (all: ReadonlyArray<Charging>, held: Array<() => void>) {
        const hashes = all.flatMap(({ payer }) => ("hash" in payer ? payer.hash : []))
        const keys = new Map(hashes.length === 0 ? [] : Arr.zip(hashes, yield* authenticator.findAll(hashes)))
        const payable: Array<ChargeRequest> = []
        const ends: Array<Exit.Exit<number, QuickFailure>> = []
        for (const { answer, cost, payer, retried } of all) {
          const key = payerOf(payer, keys)
          if (Result.isFailure(key)) {
            ends.push(Exit.fail(key.failure))
            continue
          }
          const idempotency = retried && { ...retried, scope: scopeOf(key.success) }
          if (idempotency !== undefined && "hash" in payer) {
            const release = hold(idempotency)
            if (release === undefined) {
              ends.push(Exit.fail(new IdempotencyInProgress()))
              continue
            }
            held.push(release)
          }
          ends.push(
            Exit.map(
              yield* Effect.exit(answer),
              (answer) => payable.push({ cost, idempotency, ...key.success, answer }) - 1
            )
          )
        }
        const charges = payable.length === 0 ? [] : yield* credits.chargeAll(payable, slots.total() - all.length)
        return ends.map((end): Exit.Exit<Charge, QuickFailure> =>
          Exit.isFailure(end) ? Exit.failCause(end.cause) : exitOf(charges[end.value])
        )
      })

      const chargeAll = (all: ReadonlyArray<Charging>) =>
        Effect.suspend(() => {
          const held: Array<() => void> = []
          return Effect.ensuring(
            chargeHolding(all, held),
            Effect.sync(() => {
              for (const release of held) release()
            })
          )
        })

      const add = makeBatches({
        name: "Forecasts.charge",
        all: chargeAll,
        ...batches
      })
      const charge = (keyId: KeyId, charging: Charging) =>
        slots.use(keyId, (turn) => Effect.andThen(turn, inBatch(add, charging)))

      const sell: Forecasts["Service"]["sell"] = (payer, { cost, fingerprint }, compute) =>
        Effect.suspend(() => {
          const { keyId, onWasted, subKeyId } = payer
          const idempotency = idempotentRequest(payer, fingerprint)
          let computed = 0
          const countWasted = Effect.sync(() => onWasted?.(computed))
          const admit = Effect.suspend(() => credits.precheck({ keyId, subKeyId, cost, idempotency })).pipe(
            Effect.flatMap((charge) => (charge === undefined ? Effect.void : Effect.fail(new Answered({ charge }))))
          )
          return compute(admit, (forecasts) => void (computed = forecasts)).pipe(
            Effect.interruptible,
            Effect.flatMap((answer) =>
              charge(keyId, {
                cost,
                retried: idempotency,
                payer: { keyId, subKeyId },
                answer: Effect.succeed(answer)
              })
            ),
            Effect.catchTag(["InvalidKey", "InvalidInput", "MalformedJson", "IdempotencyInProgress"], Effect.die),
            Effect.onInterrupt(() => countWasted),
            Effect.tapError(() => countWasted),
            Effect.catchTag("Answered", ({ charge }) => Effect.succeed(charge))
          )
        })

      return Forecasts.of({
        sell,
        quickly: ({ bucket, hash }, request, { admit, idempotency, onEnd }) => {
          // Otherwise it would cut another request before it is admitted.
          if (slots.total() >= maxCharges.all) return undefined
          const place = slots.queue(bucket, Function.constVoid)
          if (place === undefined) return undefined
          if (!place.hasBegun() || !admit()) {
            place.release()
            return undefined
          }
          const payer: Sought = { hash, found: undefined }
          const turn = { of: { key: bucket }, admit: Effect.void }
          const answer = Effect.flatMap(Effect.fromResult(request), ({ compute }) =>
            Effect.map(compute(forecaster, turn), withUsage)
          )
          const retried =
            idempotency === undefined || Result.isFailure(request)
              ? undefined
              : { ...idempotency, fingerprint: fingerprintOf(request.success) }
          const takeBack = add({
            item: { payer, cost: 1, retried, answer },
            context,
            begin: (whenEnded) => () =>
              whenEnded((charged) => {
                place.release()
                onEnd(charged, payer.found)
              })
          })
          return () => {
            const isTaken = takeBack()
            if (isTaken) place.release()
            return isTaken
          }
        },
        forecast: (call) => {
          const fingerprint = call.idempotency === undefined ? "" : fingerprintOf(call.request)
          const sold = sell(call, { cost: 1, fingerprint }, (admit, onComputed) => {
            const begin = Effect.tap(admit, () => Effect.sync(() => onComputed(1)))
            return Effect.map(call.request.compute(forecaster, { of: { key: call.keyId }, admit: begin }), withUsage)
          })
          const request = idempotentRequest(call, fingerprint)
          const answered = exclusively(request, sold)
          return call.idempotency?.key === undefined ? untilAnswered(request, answered) : answered
        }
      })
    })
  ).pipe(Layer.provide(Idempotency.layer))
}

/** The key and the sub-key to charge, which are noted if they are those of a secret. */
const payerOf = (
  payer: Charging["payer"],
  keys: ReadonlyMap<string, Found>
): Result.Result<Pick<ChargeRequest, "keyId" | "subKeyId">, InvalidKey | KeyUnusable> => {
  if ("keyId" in payer) return Result.succeed(payer)
  payer.found = keys.get(payer.hash) ?? invalidKey
  return Result.map(payer.found, ({ id, subKey }) => ({ keyId: id, subKeyId: subKey?.id }))
}

const exitOf = (charge: Result.Result<Charge, ChargeFailure> | undefined): Exit.Exit<Charge, ChargeFailure> => {
  if (charge === undefined) return noEnd
  return Result.isSuccess(charge) ? Exit.succeed(charge.success) : Exit.fail(charge.failure)
}

/** The text of an answer, an object. It is kept instead of the answer until the credit is taken. */
const withUsage = (computed: object): Answer => {
  const members = JSON.stringify(computed).slice(0, -1)
  return (usage) => `${members},"usage":${JSON.stringify(usage)}}`
}

/** Identical calls have the same fingerprint, however they are spelled: the SHA-256 of their exact values. */
const fingerprintOf = ({ canonical }: PaidRequest) => hash("sha256", canonical(), "base64url")

/** A request that may be retried, by its fingerprint; undefined for one that may not. */
export const idempotentRequest = (
  { idempotency, keyId, subKeyId }: Payer,
  fingerprint: string
): ChargeRequest["idempotency"] => {
  if (idempotency === undefined) return undefined
  const { key = fingerprint, operation } = idempotency
  return { scope: scopeOf({ keyId, subKeyId }), operation, key, fingerprint }
}

/** The owner of a request's Idempotency-Key. */
const scopeOf = ({ keyId, subKeyId }: Pick<ChargeRequest, "keyId" | "subKeyId">) => subKeyId ?? keyId
