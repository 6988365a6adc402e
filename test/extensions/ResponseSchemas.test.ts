import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Predicate, Schema } from "effect"
import { CampaignsSummary, summarize } from "../../src/extensions/lists/CampaignForecast.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { Forecast } from "../../src/forecast/ForecastAnswer.ts"
import { computeLegacyForecast, LegacyForecast } from "../../src/forecast/LegacyForecast.ts"
import { reachGoal } from "../../src/extensions/goals/Goals.ts"
import { GoalAnswer } from "../../src/extensions/goals/GoalAnswer.ts"
import { computeProgress } from "../../src/extensions/progress/Progress.ts"
import { ProgressAnswer } from "../../src/extensions/progress/ProgressAnswer.ts"
import { exampleInFlight } from "../../src/extensions/progress/ProgressRequest.ts"
import { campaignOf } from "../support/Campaigns.ts"

type Without = ReadonlyArray<readonly [path: string, rest: unknown]>

/** A value without one member of its objects, by the path to it; lists keep only their first item. */
const without = (value: unknown): Without => {
  if (Array.isArray(value)) return without(value[0]).map(([path, rest]) => [`0/${path}`, [rest]])
  if (!Predicate.isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]): Without => {
    const others = Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
    const within = without(member).map(([path, rest]) => [`${name}/${path}`, { ...value, [name]: rest }] as const)
    return [[name, others], ...within]
  })
}

const learned = campaignOf({ show_rate: 80 }, { reply_rate: [31, 800], close_rate: [1, 3] })
const { delivery_rate, show_rate } = campaignOf({ delivery_rate: 95, show_rate: 80 })
const optionalRates = { ...(delivery_rate && { delivery_rate }), ...(show_rate && { show_rate }) }
const goal = { aim: "profit", target: BigDecimal.make(9000n, 0), chance: BigDecimal.make(8n, 1) } as const

/** Responses with their schemas, and the optional members. */
const answers: ReadonlyArray<
  readonly [name: string, isAnswer: (value: unknown) => boolean, answer: object, optional: RegExp]
> = [
  ["a forecast", Schema.is(Forecast), computeForecast(campaignOf()).forecast, /^$/],
  [
    "a forecast at learned rates",
    Schema.is(Forecast),
    computeForecast(learned).forecast,
    /rates\/show_rate$|break_even\/show_rate/
  ],
  ["a legacy forecast", Schema.is(LegacyForecast), computeLegacyForecast(campaignOf()), /^$/],
  ["a goal", Schema.is(GoalAnswer), reachGoal(goal, campaignOf()), /^goal\/|^needed\/(\w+_rate|\w+_value|\w+_cost)$/],
  [
    "a campaign in flight",
    Schema.is(ProgressAnswer),
    computeProgress({ ...exampleInFlight, assumptions: { ...exampleInFlight.assumptions, ...optionalRates } }),
    /^(?:rates|against_the_plan)\/(?:delivery|show)_rate$/
  ],
  ["a comparison", Schema.is(CampaignsSummary), summarize([campaignOf(), campaignOf()]), /^$/]
]

describe("the response schema of", () => {
  for (const [name, isAnswer, answer, optional] of answers) {
    it(`${name} accepts the response, and reports any missing field`, () => {
      assert.isTrue(isAnswer(answer))
      for (const [path, rest] of without(answer)) assert.strictEqual(isAnswer(rest), optional.test(path), path)
    })
  }
})
