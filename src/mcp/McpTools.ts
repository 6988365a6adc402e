import * as Spoken from "./spokenAnswers.ts"
import { Context, Effect, Layer, Schema } from "effect"
import { McpServer, McpSchema } from "effect/ai"
import { CurrentRequest, type RequestState } from "../http/RequestState.ts"
import { failureOf, HttpProblem } from "../http/problems/HttpProblems.ts"
import { benchmarksTool, comparisonTool, meteredTools, usageTool } from "./Tools.ts"
import { withTools } from "./toolSchemas.ts"
import { Forecaster } from "../forecast/Forecaster.ts"
import { Credits } from "../credits/Credits.ts"
import { benchmarksOf, decodeBenchmarksRequest, measures } from "../forecast/benchmarks/MeasureBenchmarks.ts"
import { Forecasts } from "../metering/Forecasts.ts"
import type { PaidOperation } from "../metering/Operations.ts"
import { decodeFields } from "../input/decodeFields.ts"
import { type FieldError, pointerTo } from "../input/InvalidInput.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { makeWithBalance } from "../keys/AuthenticationHttp.ts"
import { noteCharge } from "../metering/ForecastsHttp.ts"
import { keyUsageOf } from "../owner/KeyUsage.ts"
import { readArguments, readComparison } from "./ToolArguments.ts"
import { briefing, briefOf } from "./CampaignsBrief.ts"
import type { AuthenticatedKey } from "../keys/Authenticator.ts"
import { CreditProblem } from "../credits/CreditsProblems.ts"
import { problemsOf } from "../http/problems/problem.ts"
import { untilAnswered } from "../idempotency/Idempotency.ts"
import { IdempotencyProblem } from "../idempotency/IdempotencyProblems.ts"
import { KeyProblem } from "../keys/KeysProblems.ts"
import { CurrentToolCall, type ToolCall } from "./ToolCall.ts"

/** The answer of a tool. */
interface ToolAnswer {
  readonly json: string
  /** The sentence that a person should hear, then all that a model should read. */
  readonly texts: ReadonlyArray<string>
  /** True if it was charged before. */
  readonly isReplay: boolean
}

const ToolProblem = { ...HttpProblem, ...KeyProblem, ...IdempotencyProblem, ...CreditProblem }

/** The failures of a call. */
type ToolFailure = (typeof ToolProblem)[keyof typeof ToolProblem]["Type"]

const { toProblem } = problemsOf<ToolFailure>(ToolProblem)

/** The result of a successful call, without its structured content, which is the JSON of the answer, unchanged. */
const answeredResult = ({ isReplay, texts }: ToolAnswer): McpSchema.CallToolResult =>
  new McpSchema.CallToolResult({
    content: texts.map((text) => ({ type: "text", text })),
    ...(isReplay ? { _meta: { replayed: true } } : {})
  })

/** The result of a failed call: what happened and what to do, and the problem for programs. */
const failedResult = (failure: ToolFailure, state: RequestState): McpSchema.CallToolResult => {
  const { body } = toProblem(failure, state)
  const { code, detail, errors = [], request_id, retryable, status, type } = body
  const list = errors.map(({ message, pointer }) => `- ${pointer || "they"} ${withTools(message)}`)
  const sentences = list.length === 0 ? [detail] : ["Correct the arguments:", ...list]
  if (status === 401) {
    sentences.push(`Set the key as a header in the settings of this server: see ${state.publicUrl}/docs/agents.`)
  }
  sentences.push(retryable ? "The same call may succeed later; it is never charged twice." : "Nothing was charged.")
  sentences.push(`(${code}, explained at ${type}; request ${request_id})`)
  return new McpSchema.CallToolResult({
    isError: true,
    content: [{ type: "text", text: sentences.join("\n") }],
    _meta: { problem: body }
  })
}

type Handler = (call: ToolCall) => Effect.Effect<ToolAnswer, ToolFailure>

const notTaken = (name: string): FieldError => ({
  pointer: pointerTo(name),
  code: "unknown_field",
  message: "is not a known field; this tool takes no arguments"
})

// Schemas without fields accept any.
const decodeNothing = decodeFields(Schema.Struct({}), { check: (fields) => Object.keys(fields).map(notTaken) })

const answered = (json: string, sentence: string): ToolAnswer => ({ json, texts: [sentence, json], isReplay: false })

/** The longest answer that is shortened on the event loop, in characters: parsing it takes 2 ms. */
const maxInline = 256 * 1024

/** A call has no Idempotency-Key: it is identified by its arguments. */
const idempotencyOf = (tool: string) => ({ operation: `POST /mcp ${tool}`, key: undefined })

/** Creates each tool with its handler, with the services behind the endpoints. */
const makeToolHandlers = Effect.gen(function* () {
  const forecasts = yield* Forecasts
  const forecaster = yield* Forecaster
  const credits = yield* Credits
  const limits = yield* KeyLimits
  const withBalance = yield* makeWithBalance

  const withKey =
    (
      answer: (given: ToolCall["arguments"], key: AuthenticatedKey) => Effect.Effect<ToolAnswer, ToolFailure>
    ): Handler =>
    ({ arguments: given, key }) =>
      Effect.flatMap(Effect.fromResult(key), (key) => withBalance(key.id, key.subKey?.id, answer(given, key)))

  const callerOf = (tool: string, { id, subKey }: AuthenticatedKey) => ({
    keyId: id,
    subKeyId: subKey?.id,
    idempotency: idempotencyOf(tool),
    onWasted: (forecasts: number) => limits.countWasted(id, forecasts)
  })

  /** A tool that is equivalent to an endpoint with one answer for one credit. */
  const metered = ({ read }: PaidOperation, tool: string): Handler =>
    withKey(
      Effect.fnUntraced(function* (given, key) {
        const request = yield* Effect.fromResult(readArguments(given, read))
        const charge = yield* untilAnswered(forecasts.forecast({ request, ...callerOf(tool, key) }))
        yield* noteCharge(charge)
        const { answer, reference } = charge
        return { json: answer, texts: [request.spokenOf(answer), answer], isReplay: reference === undefined }
      })
    )

  /** A comparison in the form that was asked for; the text has a line for each campaign in either. */
  const compare = withKey(
    Effect.fnUntraced(function* (given, key) {
      const { detail, ...body } = yield* Effect.fromResult(readComparison(given))
      const { answer, ...charge } = yield* forecasts.list({
        ...callerOf(comparisonTool.name, key),
        decode: forecaster.list({ ...body, type: "json", answer: "json" }, key.id),
        answer: "json"
      })
      yield* noteCharge({ answer, ...charge })
      const brief = yield* answer.length > maxInline
        ? forecaster.compute(briefing, answer, { of: key.id, admit: Effect.void })
        : Effect.sync(() => briefOf(answer))
      return {
        json: detail ? answer : JSON.stringify(brief),
        texts: [Spoken.ofCampaigns(brief), Spoken.linesOf(brief)],
        isReplay: charge.reference === undefined
      }
    })
  )

  const benchmarks: Handler = ({ arguments: given }) =>
    Effect.map(Effect.fromResult(readArguments(given, decodeBenchmarksRequest)), ({ measure }) => {
      if (measure === undefined) return answered(JSON.stringify({ measures }), Spoken.ofMeasures(measures))
      const found = benchmarksOf(measure)
      return {
        json: JSON.stringify(found),
        texts: [Spoken.ofBenchmarks(found), Spoken.figureLinesOf(found)],
        isReplay: false
      }
    })

  const usage = withKey((given, key) =>
    Effect.gen(function* () {
      yield* Effect.fromResult(readArguments(given, decodeNothing))
      const usage = yield* keyUsageOf(credits, key)
      return answered(JSON.stringify(usage), Spoken.ofUsage(usage))
    })
  )

  return [
    ...meteredTools.map(({ operation, tool }) => ({ tool, handler: metered(operation, tool.name) })),
    { tool: benchmarksTool, handler: benchmarks },
    { tool: usageTool, handler: usage }
  ].toSpliced(1, 0, { tool: comparisonTool, handler: compare })
})

const fail = (failure: ToolFailure) => Effect.map(CurrentRequest, (state) => failedResult(failure, state))

/** Offers the tools on a server. A failed call is reported in its result: models do not see protocol errors. */
export const McpTools = Layer.effectDiscard(
  Effect.gen(function* () {
    const server = yield* McpServer.McpServer
    for (const { handler, tool } of yield* makeToolHandlers) {
      const handle = Effect.gen(function* () {
        const call = yield* CurrentToolCall
        const answer = yield* handler(call)
        call.answer = answer.json
        return answeredResult(answer)
      }).pipe(
        Effect.catch(fail),
        Effect.catchCause((cause) => Effect.flatMap(failureOf(cause), fail))
      )
      yield* server.addTool({ tool, annotations: Context.empty(), handle: () => handle })
    }
  })
)
