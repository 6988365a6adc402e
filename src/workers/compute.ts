import { Effect, Predicate, Record, Result } from "effect"
import { calculate } from "../calculator/Calculation.ts"
import { readForm } from "../calculator/readForm.ts"
import { viewsOf } from "../calculator/Views.ts"
import { decodeAssumptions } from "../campaign/Assumptions.ts"
import { compareListed, forecastListed, readList, summarizeListed } from "../forecast/list/CampaignList.ts"
import { computeForecast } from "../forecast/Forecast.ts"
import { decodeGoalRequest } from "../forecast/GoalRequest.ts"
import { computeLegacyForecast } from "../forecast/LegacyForecast.ts"
import { reachGoal } from "../forecast/outlook/Goals.ts"
import { readMessage } from "../mcp/McpMessage.ts"
import { parseExactJson } from "../input/ExactJson.ts"
import { type AnswerKind, Computations } from "./Computations.ts"

/** Computes something of the first items: of at least one, and of no more once `millis` have passed. */
const computeFor = <A, B>(millis: number, items: ReadonlyArray<A>, compute: (item: A) => B): ReadonlyArray<B> => {
  const end = performance.now() + millis
  const computed: Array<B> = []
  for (const item of items) {
    computed.push(compute(item))
    if (performance.now() > end) break
  }
  return computed
}

/** Computes the answer to a request in its canonical form. */
const answerTo = (kind: AnswerKind, request: string): object => {
  const json = Result.getOrThrow(parseExactJson(request))
  if (kind === "goal") {
    const { assumptions, goal } = Result.getOrThrow(decodeGoalRequest(json))
    return reachGoal(goal, assumptions)
  }
  const assumptions = Result.getOrThrow(decodeAssumptions(json))
  return kind === "legacy" ? computeLegacyForecast(assumptions) : computeForecast(assumptions).forecast
}

/** The computations as plain functions. Those of many items end after the first one that ends later than `turn` milliseconds. */
export const layer = (turn: number) =>
  Computations.toLayer({
    Answer: ({ kind, request }) => Effect.sync(() => JSON.stringify(answerTo(kind, request))),
    ReadList: ({ format, text }) => Effect.suspend(() => Effect.fromResult(readList(text, format))),
    ForecastListed: ({ campaigns, format }) =>
      Effect.sync(() => computeFor(turn, campaigns, (campaign) => forecastListed(campaign, format))),
    SummarizeListed: ({ campaigns, contributions }) => Effect.sync(() => summarizeListed(contributions, campaigns)),
    CompareListed: ({ by, pairs }) =>
      Effect.sync(() => computeFor(turn, pairs, ([first, second]) => compareListed(by, first, second))),
    ReadMessage: ({ text }) => Effect.suspend(() => Effect.fromResult(readMessage(text))),
    Calculate: ({ address, values }) =>
      Effect.sync(() => {
        const { input } = readForm(values)
        if (Predicate.isUndefined(input)) throw new Error("A form with errors cannot be calculated")
        return Record.map(viewsOf(calculate(input), address), ({ text }) => text)
      })
  })
