import { Effect, Schema } from "effect"
import { Assumptions } from "../../../src/campaign/Assumptions.ts"
import type { CampaignsFormat } from "../../../src/extensions/lists/CampaignList.ts"
import { Lists } from "../../../src/extensions/lists/Lists.ts"
import type { Payer } from "../../../src/metering/Forecasts.ts"
import { type Action, authenticated, type Known } from "../../simulate/Action.ts"
import { asking, callOf, campaign, few, repeat } from "../../simulate/asking.ts"
import type { Outside } from "../../simulate/Outside.ts"
import type { Part, SimulatedExtension } from "../../simulate/Part.ts"

const encode = Schema.encodeSync(Assumptions)

/** Forecasts a list. */
const forecastList = Effect.fnUntraced(function* (
  campaigns: ReadonlyArray<Assumptions>,
  answer: CampaignsFormat,
  payer: Payer
) {
  const lists = yield* Lists
  const text = `{"campaigns":[${campaigns.map((each) => JSON.stringify(encode(each))).join(",")}]}`
  return yield* lists.forecast({
    ...payer,
    decode: lists.decode({ text, type: "json", answer }, payer.keyId),
    answer
  })
})

/** Many campaigns in one request. */
const campaigns = (outside: Outside, known: Known): Action => {
  const chosen = Array.from({ length: 2 + outside.upTo(2) }, () => campaign)
  const payer = { keyId: known.keyId, idempotency: repeat(outside, "POST /campaigns") }
  const asked = callOf(payer, chosen.length)
  const use = Effect.gen(function* () {
    const result = yield* Effect.result(forecastList(chosen, "json", payer))
    yield* outside.check([[asked, result]])
  })
  return asking("campaigns", [asked], authenticated(outside, known, use), (again) => forecastList([few], "csv", again))
}

/** Lists of campaigns, each paid together. */
export const lists = {
  services: Lists.layer,
  part: ({ outside }): Part => ({ drawn: [{ weight: 5, action: (known) => known && campaigns(outside, known) }] })
} as const satisfies SimulatedExtension
