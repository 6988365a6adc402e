import { Array as Arr, Effect, Result } from "effect"
import { Credits } from "../../credits/Credits.ts"
import type { KeyId } from "../../KeyId.ts"
import { type Answered, type BatchRequest, write } from "./Waiting.ts"

/** A request with its answer. */
export interface Settled {
  readonly request: BatchRequest
  /** The key that it was sent with; nothing where that is refused. */
  readonly keyId: KeyId | undefined
  readonly answered: Answered
}

/** The key whose balance an answer has to tell and that is not known yet. */
const untoldKey = ({ answered, keyId, request: { state } }: Settled): KeyId | undefined => {
  if (Result.isSuccess(answered) || state.balance !== undefined) return undefined
  return answered.failure._tag === "PlanInactive" ? answered.failure.keyId : keyId
}

/** Makes what sends answers, refusals with the balances of their keys. */
export const makeSettle = Effect.map(Credits, (credits) => {
  /** Notes the balances that the answers to refused calls tell. */
  const tellBalances = Effect.fnUntraced(function* (settled: ReadonlyArray<Settled>) {
    const untold: Array<{ readonly keyId: KeyId; readonly request: BatchRequest }> = []
    for (const each of settled) {
      const { answered, request } = each
      if (Result.isFailure(answered) && answered.failure._tag === "UsageExhausted") {
        request.state.balance = answered.failure
      }
      const keyId = untoldKey(each)
      if (keyId !== undefined) untold.push({ keyId, request })
    }
    if (untold.length === 0) return
    const balances = yield* credits.balances(untold.map(({ keyId }) => keyId))
    for (const [{ request }, balance] of Arr.zip(untold, balances)) request.state.balance = balance
  })

  return Effect.fnUntraced(function* (settled: ReadonlyArray<Settled>) {
    yield* Effect.ignoreCause(tellBalances(settled))
    for (const { answered, request } of settled) write(request, answered)
  })
})
