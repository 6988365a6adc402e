import { Context, Effect, Layer, Result, Schedule, Schema } from "effect"
import { McpServer } from "effect/ai"
import { CurrentRequest } from "../http/RequestState.ts"
import { failureOf } from "../http/problems/failureOf.ts"
import { CurrentToolCall, type ToolCall } from "./ToolCall.ts"
import { answeredResult, failedResult, type ToolAnswer, type ToolFailure } from "./toolResult.ts"
import { type ToolName, toolNames, tools } from "./Tools.ts"
import { Credits } from "../credits/Credits.ts"
import {
  benchmarksOf,
  type BenchmarksRequest,
  decodeBenchmarksRequest,
  measures
} from "../forecast/benchmarks/MeasureBenchmarks.ts"
import { CampaignForecasts } from "../metering/CampaignForecasts.ts"
import { Forecasts } from "../metering/Forecasts.ts"
import { decodeFields } from "../input/decodeFields.ts"
import { decodeParsed } from "../input/parseJson.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { makeWithBalance } from "../keys/AuthenticationHttp.ts"
import { noteCharge } from "../metering/ForecastsHttp.ts"
import { usageOf, usageText } from "../owner/usageText.ts"
import { type ChargedTool, type Comparison, readArguments } from "./ToolArguments.ts"
import { briefing, briefOf } from "./CampaignsBrief.ts"
import * as Spoken from "./spokenAnswers.ts"
import type { KeyId } from "../KeyId.ts"
import { WorkerPool } from "../workers/WorkerPool.ts"
import type { AuthenticatedKey } from "../keys/Authenticator.ts"

/** A call repeated while the first is being answered waits for that answer, polling every 100 ms for up to 20 s. */
const untilAnswered = { schedule: Schedule.spaced("100 millis"), times: 200 }

type Handler = (call: ToolCall) => Effect.Effect<ToolAnswer, ToolFailure>

const decodeNothing = decodeFields(Schema.Struct({}), { unknown: () => "this tool takes no arguments" })

const readNothing = (given: ToolCall["arguments"]) =>
  Effect.fromResult("json" in given ? decodeParsed(given, decodeNothing) : Result.map(given.read, () => ({})))

const readBenchmarks = (given: ToolCall["arguments"]) =>
  Effect.fromResult(
    "json" in given
      ? decodeParsed(given, decodeBenchmarksRequest)
      : Result.map(given.read, (): typeof BenchmarksRequest.Type => ({}))
  )

const spoken = {
  forecast: Spoken.ofForecast,
  legacy: Spoken.ofForecast,
  goal: Spoken.ofGoal,
  progress: Spoken.ofProgress
}

const answered = (json: string, sentence: string): ToolAnswer => ({ json, texts: [sentence, json], isReplay: false })

/** The longest answer that is shortened on the event loop, in characters: parsing it takes 2 ms. */
const maxInline = 256 * 1024

/** A call has no Idempotency-Key: it is identified by its arguments. */
const idempotencyOf = (tool: ChargedTool) => ({ operation: `POST /mcp ${tool}`, key: undefined })

/** Creates the handler of each tool, with the services behind the endpoints. */
const makeToolHandlers = Effect.gen(function* () {
  const forecasts = yield* Forecasts
  const campaignForecasts = yield* CampaignForecasts
  const credits = yield* Credits
  const limits = yield* KeyLimits
  const pool = yield* WorkerPool
  const withBalance = yield* makeWithBalance

  const withKey =
    (
      answer: (given: ToolCall["arguments"], key: AuthenticatedKey) => Effect.Effect<ToolAnswer, ToolFailure>
    ): Handler =>
    ({ arguments: given, key }) =>
      Effect.flatMap(Effect.fromResult(key), (key) => withBalance(key.id, key.subKey?.id, answer(given, key)))

  /** A comparison in the form that was asked for; the text has a line for each campaign in either. */
  const compared = Effect.fnUntraced(function* (answer: string, keyId: KeyId, { detail }: Comparison) {
    const brief = yield* answer.length > maxInline
      ? pool.compute(keyId, (run) => run(briefing, answer))
      : Effect.sync(() => briefOf(answer))
    return {
      json: detail ? answer : JSON.stringify(brief),
      texts: [Spoken.ofCampaigns(brief), Spoken.linesOf(brief)]
    }
  })

  /** A tool that is equivalent to an endpoint that costs credits. */
  const charged = (tool: ChargedTool): Handler =>
    withKey((given, { id, subKey }) =>
      Effect.gen(function* () {
        const request = yield* Effect.fromResult("json" in given ? readArguments(tool, given) : given.read)
        const caller = {
          keyId: id,
          subKeyId: subKey?.id,
          idempotency: idempotencyOf(tool),
          onWasted: (forecasts: number) => limits.countWasted(id, forecasts)
        }
        const charging =
          "kind" in request
            ? forecasts.forecast({ ...request, ...caller })
            : campaignForecasts.forecast({ ...caller, body: request, format: "json" })
        const charge = yield* Effect.retry(charging, {
          ...untilAnswered,
          while: ({ _tag }) => _tag === "IdempotencyInProgress"
        })
        yield* noteCharge(charge)
        const { answer, reference } = charge
        const isReplay = reference === undefined
        return "kind" in request
          ? { json: answer, texts: [spoken[request.kind](answer), answer], isReplay }
          : { ...(yield* compared(answer, id, request)), isReplay }
      })
    )

  const handlers: { readonly [Tool in ToolName]: Handler } = {
    forecast: charged("forecast"),
    compare_campaigns: charged("compare_campaigns"),
    reach_goal: charged("reach_goal"),
    campaign_progress: charged("campaign_progress"),
    benchmarks: ({ arguments: given }) =>
      Effect.map(readBenchmarks(given), ({ measure }) => {
        if (measure === undefined) return answered(JSON.stringify({ measures }), Spoken.ofMeasures(measures))
        const found = benchmarksOf(measure)
        return {
          json: JSON.stringify(found),
          texts: [Spoken.ofBenchmarks(found), Spoken.figureLinesOf(found)],
          isReplay: false
        }
      }),
    usage: withKey((given, key) =>
      Effect.gen(function* () {
        yield* readNothing(given)
        const text = usageText(key, yield* usageOf(credits, key))
        return answered(text, Spoken.ofUsage(text))
      })
    )
  }
  return handlers
})

const fail = (failure: ToolFailure) => Effect.map(CurrentRequest, (state) => failedResult(failure, state))

/** Offers the tools on a server. A failed call is reported in its result: models do not see protocol errors. */
export const McpTools = Layer.effectDiscard(
  Effect.gen(function* () {
    const server = yield* McpServer.McpServer
    const handlers = yield* makeToolHandlers
    for (const name of toolNames) {
      const handle = Effect.gen(function* () {
        const call = yield* CurrentToolCall
        const answer = yield* handlers[name](call)
        call.answer = answer.json
        return answeredResult(answer)
      }).pipe(
        Effect.catch(fail),
        Effect.catchCause((cause) => Effect.flatMap(failureOf(cause), fail))
      )
      yield* server.addTool({ tool: tools[name], annotations: Context.empty(), handle: () => handle })
    }
  })
)
