import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { decodeGoalRequest } from "../../../src/extensions/goals/GoalRequest.ts"
import { reachGoal } from "../../../src/extensions/goals/Goals.ts"
import { computeProgress } from "../../../src/extensions/progress/Progress.ts"
import { decodeProgressRequest } from "../../../src/extensions/progress/ProgressRequest.ts"
import { decodeJson } from "../../../src/input/parseJson.ts"
import { assertGolden } from "../../support/Golden.ts"
import { decodeText } from "../../support/Samples.ts"
import { campaigns, type GoldenCampaign } from "./campaigns.ts"
import { flights } from "./flights.ts"
import { goals } from "./goals.ts"
import { practiceCampaigns } from "./practiceCampaigns.ts"

const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 })
const shown = (value: number | null) => (value === null ? "unknown" : number.format(value))

/** A request for a reader: `reply_rate 5, so_far (replies 3)`. */
const requestText = (request: unknown): string =>
  Array.isArray(request)
    ? request.map(requestText).join("; ")
    : typeof request === "number"
      ? number.format(request)
      : typeof request === "object" && request !== null
        ? Object.entries(request)
            .map(([name, value]) => {
              const text = requestText(value)
              return typeof value === "object" ? `${name} (${text})` : `${name} ${text}`
            })
            .join(", ")
        : String(request)

type Entry = (request: GoldenCampaign["request"]) => Effect.Effect<ReadonlyArray<string>>

/** Text about the forecast of a campaign, for a reader. */
const forecastEntry: Entry = Effect.fnUntraced(function* (request) {
  const { forecast } = computeForecast(yield* Effect.orDie(decodeText(JSON.stringify(request))))
  return [
    `clients ${shown(forecast.estimated_clients)}, revenue ${shown(forecast.estimated_revenue)}, ROI ${shown(forecast.roi_multiple)}, ${forecast.performance_grade}`,
    forecast.risk_flags.length === 0 ? "no flags" : forecast.risk_flags.join(", "),
    forecast.summary,
    ...forecast.recommendations.map((text) => `- ${text}`)
  ]
})

const flightEntry: Entry = Effect.fnUntraced(function* (request) {
  const decoded = yield* Effect.orDie(Effect.fromResult(decodeJson(JSON.stringify(request), decodeProgressRequest)))
  const answer = computeProgress(decoded)
  const verdicts = Object.entries(answer.against_the_plan).map(([rate, { verdict }]) => `${rate} ${verdict ?? "open"}`)
  return [verdicts.join(", "), answer.summary, ...answer.recommendations.map((text) => `- ${text}`)]
})

const goalEntry: Entry = Effect.fnUntraced(function* (request) {
  const decoded = yield* Effect.orDie(Effect.fromResult(decodeJson(JSON.stringify(request), decodeGoalRequest)))
  const answer = reachGoal(decoded.goal, decoded.assumptions)
  return [
    `expected now ${shown(answer.expected_now)}, reached ${String(answer.reached)}`,
    answer.summary,
    ...answer.calculation_notes.map((text) => `- ${text}`)
  ]
})

const assertEntries = Effect.fnUntraced(function* (name: string, list: ReadonlyArray<GoldenCampaign>, entry: Entry) {
  const entries = yield* Effect.forEach(list, ({ name, request }, index) =>
    Effect.map(entry(request), (lines) => [`${index + 1}. ${name}`, requestText(request), ...lines].join("\n   "))
  )
  assertGolden(`forecast/golden/${name}.txt`, `${entries.join("\n\n")}\n`)
})

// `REWRITE=1 npx vitest run test/forecast/golden` rewrites the files. Read the changes aloud.
describe("what is said about campaigns as they occur in practice", () => {
  it.effect("matches the reviewed grades, flags and recommendations of forecasts", () =>
    assertEntries("recommendations", [...campaigns, ...practiceCampaigns], forecastEntry)
  )

  it.effect("matches the reviewed verdicts and recommendations of campaigns in flight", () =>
    assertEntries("flights", flights, flightEntry)
  )

  it.effect("matches the reviewed answers to goals", () => assertEntries("goals", goals, goalEntry))
})
