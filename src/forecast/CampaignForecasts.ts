import { hash } from "node:crypto"
import { Context, Effect, Layer, Semaphore } from "effect"
import type { IdempotentRequest } from "../credits/AnswerStore.ts"
import { type Charge, type ChargeFailure, type ChargeRequest, Credits, UsageExhausted } from "../credits/Credits.ts"
import { Idempotency, IdempotencyInProgress } from "../credits/Idempotency.ts"
import { csvLine } from "../input/Csv.ts"
import type { KeyId } from "../keys/KeyId.ts"
import { mapInTurns, only } from "../Many.ts"
import { campaignForecast, type CampaignsSummary, summarize } from "./CampaignForecast.ts"
import type { NamedAssumptions } from "./Campaigns.ts"
import { rankCells, sheetCells, sheetHeader } from "./CampaignsSheet.ts"
import { canonicalText } from "./CanonicalText.ts"
import { hasEvidence } from "./outlook/Campaign.ts"
import type { Pieces } from "./outlook/Pieces.ts"

/** How the forecasts of many campaigns are written: as one JSON object, or as CSV with a line for each campaign. */
export type CampaignsFormat = "json" | "csv"

/** Campaigns whose forecasts a key asks for together. */
export interface CampaignsCall {
  readonly keyId: KeyId
  readonly campaigns: ReadonlyArray<NamedAssumptions>
  readonly format: CampaignsFormat
  /**
   * Set where the call may come again: its method and path, and the Idempotency-Key that its caller chose. Without one,
   * calls of the operation that ask for the same are one.
   */
  readonly idempotency: { readonly operation: string; readonly key: string | undefined } | undefined
}

/**
 * The forecasts of many campaigns in one answer, for one credit each: all of them or none. A call that cannot be paid is
 * refused before anything is computed. A caller who goes away while it is computed ends it, and pays nothing.
 */
export class CampaignForecasts extends Context.Service<
  CampaignForecasts,
  { readonly forecast: (call: CampaignsCall) => Effect.Effect<Charge, ChargeFailure> }
>()("outreach-forecast/forecast/CampaignForecasts") {
  static readonly layer = Layer.effect(
    CampaignForecasts,
    Effect.gen(function* () {
      const credits = yield* Credits
      const idempotency = yield* Idempotency
      const running = new Set<string>()
      // What takes long waits for its like: the more are computed at once, the longer each other request waits for its turn.
      const oneWithEvidence = yield* Semaphore.make(1)
      const oneWithout = yield* Semaphore.make(1)
      const computing = ({ campaigns }: CampaignsCall) => (campaigns.some(hasEvidence) ? oneWithEvidence : oneWithout)

      const forecast = Effect.fnUntraced(function* (call: CampaignsCall, request: IdempotentRequest | undefined) {
        const { campaigns, keyId } = call
        const cost = campaigns.length
        const recalled = request && (yield* idempotency.recall([request])).get(request)
        const balance = yield* credits.balance(keyId)
        if (recalled !== undefined) {
          return { answer: yield* Effect.fromResult(recalled), balance, reference: undefined }
        }
        if (balance.remaining < cost) return yield* new UsageExhausted({ cost, ...balance })
        const answer = yield* computing(call).withPermits(1)(Effect.flatMap(mapInTurns([call], answerInPieces), only))
        return yield* Effect.uninterruptible(credits.charge(keyId, { cost, answer, idempotency: request }))
      })

      return CampaignForecasts.of({
        forecast: (call) =>
          Effect.flatMap(mapInTurns([call], requestOf), ([request]) => {
            if (request === undefined) return forecast(call, request)
            const id = `${request.scope} ${request.operation} ${request.key}`
            if (running.has(id)) return Effect.fail(new IdempotencyInProgress())
            running.add(id)
            return Effect.ensuring(
              forecast(call, request),
              Effect.sync(() => running.delete(id))
            )
          })
      })
    })
  )
}

/** What tells whether a call is one that was made before: the same campaigns in the same order, for the same format. */
function* requestOf({ campaigns, format, idempotency, keyId }: CampaignsCall): Pieces<IdempotentRequest | undefined> {
  if (idempotency === undefined) return undefined
  const texts: Array<string> = [format]
  for (const { name, ...assumptions } of campaigns) {
    texts.push(JSON.stringify([name ?? null, canonicalText(assumptions)]))
    yield
  }
  const fingerprint = hash("sha256", texts.join("\n"), "base64url")
  return { scope: keyId, operation: idempotency.operation, key: idempotency.key ?? fingerprint, fingerprint }
}

/** Writes the answer to a call but for the key's use, which is known once the credits are taken. */
function* answerInPieces({ campaigns, format }: CampaignsCall): Pieces<ChargeRequest["answer"]> {
  const isJson = format === "json"
  const texts: Array<string> = []
  const cells: Array<ReturnType<typeof sheetCells>> = []
  for (const campaign of campaigns) {
    const forecast = yield* campaignForecast(campaign)
    if (isJson) texts.push(JSON.stringify(forecast))
    else cells.push(sheetCells(forecast))
    yield
  }
  const summary = yield* summarize(campaigns)
  return isJson ? jsonAnswer(texts, summary) : yield* csvAnswer(campaigns, cells, summary)
}

const jsonAnswer = (forecasts: ReadonlyArray<string>, summary: CampaignsSummary): ChargeRequest["answer"] => {
  const text = `{"forecasts":[${forecasts.join(",")}],${JSON.stringify(summary).slice(1, -1)}`
  return (usage) => `${text},"usage":${JSON.stringify(usage)}}`
}

function* csvAnswer(
  campaigns: ReadonlyArray<NamedAssumptions>,
  cells: ReadonlyArray<ReturnType<typeof sheetCells>>,
  { ranking }: CampaignsSummary
): Pieces<ChargeRequest["answer"]> {
  const names = campaigns.map(({ name }) => name ?? null)
  const lines = [sheetHeader]
  for (const [index, rank] of rankCells(names, ranking).entries()) {
    lines.push(csvLine([...rank, ...(cells[index] ?? [])]))
    yield
  }
  const text = lines.join("")
  return () => text
}
