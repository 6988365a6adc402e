import { Effect } from "effect"
import type { ChargeRequest } from "../../src/credits/Credits.ts"
import { type Assumptions, decodeAssumptions } from "../../src/campaign/Assumptions.ts"
import { exampleRequest } from "../../src/campaign/Fields.ts"
import { assess, type AssessedCampaign } from "../../src/forecast/benchmarks/RiskFlags.ts"
import { funnel } from "../../src/forecast/Campaign.ts"
import { computeOutlook } from "../../src/forecast/outlook/CampaignOutlook.ts"
import { testFirst } from "../../src/forecast/outlook/TestFirst.ts"
import { decodeJson } from "../../src/input/parseJson.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import { Forecasts } from "../../src/metering/Forecasts.ts"

/** The specification's sample campaign, which pages and reference show too. */
export const sample = exampleRequest

/** The same with a past campaign, which makes its forecast slow to compute. */
export const measured = {
  ...sample,
  history: [{ emails_sent: 800, replies: 31, meetings: 3, clients: 1 }]
}

/** A charge of one credit whose response is only the key's usage. */
export const oneCredit = (idempotency?: ChargeRequest["idempotency"]): Omit<ChargeRequest, "keyId"> => ({
  cost: 1,
  answer: (usage) => JSON.stringify(usage),
  idempotency
})

/** Sells that for a key, together with what others sell. */
export const sellOne = (keyId: KeyId) =>
  Effect.flatMap(Forecasts, ({ sell }) =>
    sell({ keyId, idempotency: undefined }, { cost: 1, fingerprint: "" }, () =>
      Effect.succeed((usage) => JSON.stringify(usage))
    )
  )

/** Reads assumptions from a JSON text, as the endpoint does. */
export const decodeText = (text: string) => Effect.fromResult(decodeJson(text, decodeAssumptions))

/** The sample campaign with changes; undefined leaves a field out. */
export const assumptionsOf = (
  changes: Readonly<Record<string, number | string | undefined>> = {}
): Effect.Effect<Assumptions> => Effect.orDie(decodeText(JSON.stringify({ ...sample, ...changes })))

/** The input of advice: the sample campaign with changes, with exact rates by default. */
export const assessedCampaignOf = (
  changes: Readonly<Record<string, number | string | undefined>> = {}
): Effect.Effect<AssessedCampaign> =>
  Effect.map(assumptionsOf({ spread: "none", ...changes }), (assumptions) => {
    const exact = funnel(assumptions)
    const { chanceOfNoClient, outlook } = computeOutlook(assumptions)
    return assess({
      plan: assumptions,
      campaign: assumptions,
      funnel: exact,
      outlook,
      chanceOfNoClient,
      testFirst: testFirst(assumptions)
    })
  })
