import type { Effect } from "effect"
import { Result, Schema } from "effect"
import { canonicalText } from "../campaign/canonicalText.ts"
import { Assumptions, decodeAssumptions, exampleAssumptions } from "../campaign/Assumptions.ts"
import { computeForecast } from "../forecast/Forecast.ts"
import { Forecast } from "../forecast/ForecastAnswer.ts"
import type { Forecaster, Turn } from "../forecast/Forecaster.ts"
import { decodeGoalRequest, exampleGoal, GoalRequest } from "../forecast/goals/GoalRequest.ts"
import { reachGoal } from "../forecast/goals/Goals.ts"
import { GoalAnswer } from "../forecast/goals/GoalAnswer.ts"
import { computeLegacyForecast, LegacyForecast } from "../forecast/LegacyForecast.ts"
import { maxCampaigns } from "../forecast/list/Campaigns.ts"
import { computeProgress } from "../forecast/progress/Progress.ts"
import { ProgressAnswer } from "../forecast/progress/ProgressAnswer.ts"
import { decodeProgressRequest, exampleInFlight, ProgressRequest } from "../forecast/progress/ProgressRequest.ts"
import * as Spoken from "../forecast/Spoken.ts"
import type { InvalidInput } from "../input/InvalidInput.ts"
import type { Overloaded } from "../Limits.ts"
import { forecastCall, goalCall, listCall, type OperationCall, progressCall } from "./calls.ts"

/** How an operation is described and called. */
interface Operation extends Pick<OperationCall, "path"> {
  /** The method of the TypeScript client, once both clients have it: then the document shows code that calls it. */
  readonly clientMethod?: OperationCall["clientMethod"]
  /** Its ID in the API document. */
  readonly id: string
  readonly group: "forecasts" | "goals" | "progress"
  readonly summary: string
  readonly description: string
  /** The largest body, in KiB. */
  readonly limit: number
  /** The tool of agents: its description does not say what a call costs. */
  readonly tool?: { readonly name: string; readonly title: string; readonly description: string; readonly cost: string }
}

/** A decoded request of an operation with one answer for one credit. */
export interface PaidRequest {
  /** A text that is the same for requests with the same meaning, however they are spelled. */
  readonly canonical: () => string
  /** Computes the answer, an object. */
  readonly compute: <E>(forecaster: Forecaster["Service"], turn: Turn<E>) => Effect.Effect<object, E | Overloaded>
  /** The sentences that a person should hear of its answer, which is given as JSON. */
  readonly spokenOf: (answer: string) => string
}

interface Row<I, A> extends Operation {
  readonly isDeprecated?: true
  /** A request; encoded, its JSON object. */
  readonly request: Schema.Codec<I, object>
  readonly decode: (json: unknown) => Result.Result<I, InvalidInput>
  readonly compute: (
    forecaster: Forecaster["Service"]
  ) => <E>(request: I, turn: Turn<E>) => Effect.Effect<A, E | Overloaded>
  readonly answer: {
    readonly identifier: string
    readonly description: string
    readonly schema: Schema.Struct<Schema.Struct.Fields> & Schema.Codec<A, unknown>
    /** The answer to the example of the request. */
    readonly example: () => A
  }
  /** The sentences that a person should hear of the answer to a request. */
  readonly spoken: (answer: A, request: I) => string
}

const operation = <I, A extends object>(row: Row<I, A>) => {
  const { schema } = row.answer
  const encode = Schema.encodeSync(row.request)
  const decodeAnswer = Schema.decodeUnknownSync(Schema.fromJsonString(schema))
  const requestOf = (given: I): PaidRequest => ({
    canonical: () => canonicalText(encode(given)),
    compute: (forecaster, turn) => row.compute(forecaster)(given, turn),
    spokenOf: (answer) => row.spoken(decodeAnswer(answer), given)
  })
  return {
    ...row,
    requestOf,
    /** Reads a request from a JSON object. Fails with InvalidInput, which lists every error. */
    read: (json: unknown): Result.Result<PaidRequest, InvalidInput> => Result.map(row.decode(json), requestOf)
  }
}

/** An operation with one answer for one credit. */
export type PaidOperation = (typeof operations)[keyof typeof operations]

/** The limit on the size of a body, in KiB, where a history of past campaigns is allowed. */
const historyLimit = 64

const past = "Give the counts of the user's past campaigns as history, if there are any: rates are learned from them."

const asInForecast = "The fields of a campaign are those of the tool forecast."

const oneCredit = "Costs 1 credit."

/** The operations with one answer for one credit, in the order of the document. */
export const operations = {
  forecast: operation({
    id: "forecast",
    ...forecastCall,
    group: "forecasts",
    summary: "Forecast a campaign",
    description:
      "Computes replies, meetings, clients, revenue, ROI and costs of a campaign in exact decimal arithmetic. A 200 " +
      "takes one credit. No other response does, with one exception: if the response was lost, or was 503 " +
      "unavailable, the credit may have been taken. With an Idempotency-Key a request takes at most one credit, " +
      "however often it is sent.",
    limit: historyLimit,
    tool: {
      name: "forecast",
      title: "Forecast a campaign",
      description:
        "Forecasts one cold-email campaign from its assumptions: replies, positive replies, meetings, clients, revenue, ROI " +
        "and cost of each, with the range in which 80 of 100 such campaigns end (outlook), what it takes to break even, risk " +
        `flags and recommendations. ${past}`,
      cost: oneCredit
    },
    request: Assumptions,
    decode: decodeAssumptions,
    compute: ({ forecast }) => forecast,
    answer: {
      identifier: "ForecastAnswer",
      description: "The forecast of a campaign, and the usage and remaining credits of the key.",
      schema: Forecast,
      example: () => computeForecast(exampleAssumptions).forecast
    },
    spoken: Spoken.ofForecast
  }),
  legacy: operation({
    id: "legacyForecast",
    path: "/api/v1/service/roi",
    group: "forecasts",
    summary: "Forecast a campaign (legacy)",
    description:
      "The forecast, with a campaign score and a risk level added. The endpoint stays available; new programs should " +
      "use POST /api/v1/forecast. Its errors also have the headers Deprecation and Link.",
    isDeprecated: true,
    clientMethod: "legacyRoi",
    limit: historyLimit,
    request: Assumptions,
    decode: decodeAssumptions,
    compute: ({ legacy }) => legacy,
    answer: {
      identifier: "LegacyForecastAnswer",
      description: "The forecast of a campaign with a campaign score and a risk level.",
      schema: LegacyForecast,
      example: () => computeLegacyForecast(exampleAssumptions)
    },
    spoken: Spoken.ofForecast
  }),
  goal: operation({
    id: "goal",
    ...goalCall,
    group: "goals",
    summary: "Reach a goal",
    description:
      "Solves a forecast backwards: the number of emails, or the rate, deal value or cost, that would by itself reach a given " +
      "number of replies, meetings or clients, or a given revenue, profit or ROI, on average or with a given " +
      "chance. All other inputs stay the same, including campaign_cost. If no value within the bounds of an " +
      "input is enough, `needed` is null. A 200 takes one credit, like a forecast, and counts as one.",
    limit: historyLimit,
    tool: {
      name: "reach_goal",
      title: "Reach a goal",
      description:
        "Solves a forecast backwards: the number of emails, or the rate, deal value or cost, that would by itself reach a given " +
        "number of replies, meetings or clients, or a given revenue, profit or ROI; on average, or with a given chance. " +
        `Null if no value is enough. ${asInForecast}`,
      cost: oneCredit
    },
    request: GoalRequest,
    decode: decodeGoalRequest,
    compute: ({ goal }) => goal,
    answer: {
      identifier: "GoalAnswer",
      description:
        "What it takes to reach a goal by changing one input at a time, and the usage and remaining credits of the key.",
      schema: GoalAnswer,
      example: () => reachGoal(exampleGoal.goal, exampleGoal.assumptions)
    },
    spoken: Spoken.ofGoal
  }),
  progress: operation({
    id: "progress",
    ...progressCall,
    group: "progress",
    summary: "Forecast a campaign in flight",
    description:
      "Forecasts the end of a partly sent campaign from its plan and its results so far: the result " +
      "if it continues or stops now, the chance of still reaching the plan, and for each rate whether it may be bad " +
      "luck. Rates are learned from the decided cases, and apply to open cases and new emails alike. At most " +
      "100,000 emails can be left. Counts of more than some thousand people are right to 0.1%, chances to 0.001. A 200 takes one credit, like a forecast, and counts as one.",
    limit: historyLimit,
    tool: {
      name: "campaign_progress",
      title: "Forecast a campaign in flight",
      description:
        "Forecasts the end of a cold-email campaign that is being sent, from its plan and the counts so far: where it ends " +
        "if it continues or stops now, the chance of still reaching the plan, and for each rate whether it is bad luck or a bad " +
        "plan. Ask which emails, replies and meetings are still undecided and pass them as open: they change the answer. " +
        asInForecast,
      cost: oneCredit
    },
    request: ProgressRequest,
    decode: decodeProgressRequest,
    compute: ({ progress }) => progress,
    answer: {
      identifier: "ProgressAnswer",
      description:
        "Where a campaign in flight ends compared with its plan, and the usage and remaining credits of the key.",
      schema: ProgressAnswer,
      example: () => computeProgress(exampleInFlight)
    },
    spoken: Spoken.ofProgress
  })
}

/** Many campaigns in one request, for a credit each; in a thread, and also as CSV. */
export const listOperation = {
  id: "forecasts",
  ...listCall,
  group: "forecasts",
  summary: "Forecast many campaigns",
  description:
    "Forecasts 1 to 1,000 campaigns, adds them up, and ranks them, with the chance that each is really better than " +
    "the next. The request is JSON or CSV, of at most 1 MiB; the response is JSON or CSV too. In JSON, history has past campaigns, from which the rates of all campaigns are " +
    "learned. It takes one credit for " +
    "each campaign, or none at all: a request with an error, or with too few credits left, takes none.",
  limit: 1024,
  tool: {
    name: "compare_campaigns",
    title: "Compare campaigns",
    description:
      `Forecasts 1 to ${maxCampaigns.toLocaleString("en")} campaigns together, adds them up, and ranks them with the ` +
      `chance that each is really better than the next. ${asInForecast}`,
    cost: "Costs 1 credit per campaign, or nothing at all if too few credits are left."
  }
} as const satisfies Operation

/** The operations with one answer that the clients have a method for. */
export const clientOperations = Object.values<Operation>(operations).flatMap(({ clientMethod, id, path }) =>
  clientMethod === undefined ? [] : [{ id, path, clientMethod }]
)
