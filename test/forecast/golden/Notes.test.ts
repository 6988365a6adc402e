import { describe, it } from "@effect/vitest"
import { BigDecimal, Effect } from "effect"
import { summarize } from "../../../src/extensions/lists/CampaignForecast.ts"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import type { Campaign } from "../../../src/forecast/Campaign.ts"
import { reachGoal } from "../../../src/extensions/goals/Goals.ts"
import type { Aim } from "../../../src/extensions/goals/GoalTarget.ts"
import { campaignOf } from "../../support/Campaigns.ts"
import { assertGolden } from "../../support/Golden.ts"
import { assumptionsOf, decodeText, sample } from "../../support/Samples.ts"

const noMoney = { average_deal_value: undefined, campaign_cost: undefined }
const withoutValue = campaignOf({ average_deal_value: undefined })
const withoutCost = campaignOf({ campaign_cost: undefined })

/** Campaigns that each have unique notes. */
const campaigns = {
  "the sample": {},
  "delivery, shows and several emails to each contact": { delivery_rate: 95, show_rate: 80.5, emails_per_contact: 3 },
  "one email to each contact": { emails_per_contact: 1 },
  "500 emails: a good ROI by chance": { emails_sent: 500, average_deal_value: 25_000 },
  "500 emails: an ROI of just 3 by chance": { emails_sent: 500, campaign_cost: 312.5 },
  "500 emails of a third of a reply each": { emails_sent: 500, reply_rate: 0.333, campaign_cost: 700.5 },
  "an ROI between 3 and 10": { campaign_cost: 2000 },
  "an ROI between 1 and 3": { campaign_cost: 5000 },
  "a loss": { campaign_cost: 9375.01 },
  "no money": noMoney,
  "no cost": { campaign_cost: undefined },
  "no deal value": { average_deal_value: undefined },
  "a cost of 0": { campaign_cost: 0 },
  "a deal value of 0": { average_deal_value: 0 },
  "nobody replies": { reply_rate: 0 },
  "hardly anybody replies": { emails_sent: 1, reply_rate: 0.000_12 }
}

const learned = campaignOf({}, { reply_rate: [31, 800], close_rate: [1, 3] })

const past = { emails_sent: 3000, replies: 84, positive_replies: 30, meetings: 9, clients: 2 }
const history = {
  "one past campaign with replies alone": { history: [{ emails_sent: 3000, replies: 84 }] },
  "four past campaigns, one of them with all but clients": {
    history: [past, { ...past, replies: 41 }, { ...past, emails_sent: 2000 }, { ...past, clients: undefined }]
  },
  "a history without a spread": { spread: "none", history: [{ emails_sent: 900, replies: 40, positive_replies: 12 }] }
}

const goals: Readonly<
  Record<string, { readonly goal: readonly [Aim, string, string?]; readonly campaign?: Campaign }>
> = {
  "4 clients with a chance": { goal: ["clients", "4", "0.8"] },
  "1 reply on average": { goal: ["replies", "1"] },
  "1 client with a chance": { goal: ["clients", "1", "0.925"] },
  "1 meeting": { goal: ["meetings", "1"] },
  "20 meetings": { goal: ["meetings", "20"] },
  "a revenue with a chance": { goal: ["revenue", "2500", "0.5"] },
  "a profit with a chance": { goal: ["profit", "12000.5", "0.5"] },
  "a loss": { goal: ["profit", "-600", "0.9"] },
  "an ROI": { goal: ["roi_multiple", "10"] },
  "an ROI without a cost": { goal: ["roi_multiple", "10", "0.5"], campaign: withoutCost },
  "an ROI of a cost of 0": { goal: ["roi_multiple", "10"], campaign: campaignOf({ campaign_cost: 0 }) },
  "a revenue without a deal value": { goal: ["revenue", "10"], campaign: withoutValue },
  "clients as rates vary": { goal: ["clients", "4", "0.8"], campaign: { ...campaignOf(), spread: "published" } },
  "clients at learned rates": { goal: ["clients", "2", "0.6"], campaign: learned }
}

const portfolios: Readonly<Record<string, ReadonlyArray<Campaign>>> = {
  "two campaigns": [campaignOf({ emails_sent: 500 }), campaignOf({ emails_sent: 200 })],
  "one without a cost": [campaignOf({ reply_rate: 0 }), withoutCost],
  "one with learned rates": [campaignOf(), learned]
}

/** The notes of each campaign for a reader; those of an earlier campaign are only counted. */
const written = (all: ReadonlyArray<readonly [name: string, notes: ReadonlyArray<string>]>): string => {
  const seen = new Set<string>()
  const entries = all.map(([name, notes]) => {
    const others = notes.filter((note) => !seen.has(note))
    for (const note of others) seen.add(note)
    const as = others.length === notes.length ? [] : [`- and ${notes.length - others.length} as above`]
    return [`# ${name}`, ...others.map((note) => `- ${note}`), ...as].join("\n")
  })
  return `${entries.join("\n\n")}\n`
}

// `REWRITE=1 npx vitest run test/forecast/golden` rewrites the files. Read the changes aloud.
describe("notes", () => {
  it.effect("of forecasts match the reviewed ones", () =>
    Effect.gen(function* () {
      const assumed = yield* Effect.forEach(Object.entries(campaigns), ([name, changes]) =>
        Effect.map(assumptionsOf(changes), (assumptions) => [name, assumptions] as const)
      )
      const fromHistory = yield* Effect.forEach(Object.entries(history), ([name, more]) =>
        Effect.map(decodeText(JSON.stringify({ ...sample, ...more })), (assumptions) => [name, assumptions] as const)
      )
      const entries = [...assumed, ...fromHistory].map(
        ([name, campaign]) => [name, computeForecast(campaign).forecast.calculation_notes] as const
      )
      assertGolden("forecast/golden/notes.txt", written(entries))
    })
  )

  it.effect("of goals and portfolios match the reviewed ones", () =>
    Effect.sync(() => {
      const ofGoals = Object.entries(goals).map(
        ([
          name,
          {
            campaign = campaignOf(),
            goal: [aim, target, chance]
          }
        ]) => {
          const goal = { aim, target: BigDecimal.fromStringUnsafe(target) }
          const wanted = chance === undefined ? goal : { ...goal, chance: BigDecimal.fromStringUnsafe(chance) }
          return [name, reachGoal(wanted, campaign).calculation_notes] as const
        }
      )
      const ofPortfolios = Object.entries(portfolios).map(
        ([name, together]) => [name, summarize(together).calculation_notes] as const
      )
      assertGolden("forecast/golden/goal-notes.txt", written([...ofGoals, ...ofPortfolios]))
    })
  )
})
