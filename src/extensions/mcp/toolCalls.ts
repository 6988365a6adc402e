import * as Spoken from "./spokenAnswers.ts"
import { Effect, type Result } from "effect"
import { CurrentRequest, type RequestState } from "../../http/RequestState.ts"
import { failureOf, HttpProblem } from "../../http/problems/HttpProblems.ts"
import { withTools } from "./toolSchemas.ts"
import { Forecaster } from "../../forecast/Forecaster.ts"
import { Credits } from "../../credits/Credits.ts"
import { benchmarksOf, decodeBenchmarksRequest, measures } from "../benchmarks/MeasureBenchmarks.ts"
import { Lists } from "../lists/Lists.ts"
import { Forecasts } from "../../metering/Forecasts.ts"
import { listOperation } from "./paidOperations.ts"
import type { PaidOperation } from "../../metering/Operations.ts"
import { KeyLimits } from "../../keys/KeyLimits.ts"
import { type AuthenticationFailure, RequestKeys } from "../../keys/RequestKeys.ts"
import { noteCharge } from "../../metering/ForecastsHttp.ts"
import { keyUsageOf } from "../../metering/KeyUsage.ts"
import { decodeNothing, readArguments, readComparison, type ToolArguments, toolOperations } from "./ToolArguments.ts"
import { briefing, briefOf } from "./CampaignsBrief.ts"
import type { AuthenticatedKey } from "../../keys/Authenticator.ts"
import { CreditProblem } from "../../credits/CreditsProblems.ts"
import { problemsOf } from "../../http/problems/problem.ts"
import { IdempotencyProblem } from "../../idempotency/IdempotencyProblems.ts"
import { KeyProblem } from "../../keys/KeysProblems.ts"

/** The reply to a request: the members of its result as JSON texts, and the `_meta` of it. */
export interface Reply {
  readonly members: Readonly<Record<string, string>>
  readonly meta?: object
}

/** The key of a call, or why it has none. */
export type KeyOfCall = Result.Result<AuthenticatedKey, AuthenticationFailure>

/** The answer of a tool. */
interface ToolAnswer {
  readonly json: string
  /** The sentences to pass on, then what else a model should read. */
  readonly text: string
  /** True if the text repeats the JSON in every revision: the rest of the text is far from all of it. */
  readonly isRepeated?: boolean
  /** True if it was charged before. */
  readonly isReplay: boolean
}

const ToolProblem = { ...HttpProblem, ...KeyProblem, ...IdempotencyProblem, ...CreditProblem }

/** The failures of a call. */
type ToolFailure = (typeof ToolProblem)[keyof typeof ToolProblem]["Type"]

const { toProblem } = problemsOf<ToolFailure>(ToolProblem)

const contentOf = (texts: ReadonlyArray<string>) => JSON.stringify(texts.map((text) => ({ type: "text", text })))

/**
 * The reply to a successful call: the JSON of the answer is its structured content, unchanged, and a text too for clients
 * that do not read that.
 */
const answeredReply = ({ isRepeated = false, isReplay, json, text }: ToolAnswer, readsStructured: boolean): Reply => ({
  members: { content: contentOf(readsStructured && !isRepeated ? [text] : [text, json]), structuredContent: json },
  ...(isReplay && { meta: { replayed: true } })
})

/** The reply to a failed call: what happened and what to do, and the problem for programs. */
const failedReply = (failure: ToolFailure, state: RequestState): Reply => {
  const { body } = toProblem(failure, state)
  const { code, detail, errors = [], request_id, retryable, status, type } = body
  const list = errors.map(({ message, pointer }) => `- ${pointer || "they"} ${withTools(message)}`)
  const sentences = list.length === 0 ? [detail] : ["Correct the arguments:", ...list]
  if (status === 401) {
    sentences.push(`Set the key as a header in the settings of this server: see ${state.publicUrl}/docs/agents.`)
  }
  sentences.push(retryable ? "The same call may succeed later; it is never charged twice." : "Nothing was charged.")
  sentences.push(`(${code}, explained at ${type}; request ${request_id})`)
  return { members: { content: contentOf([sentences.join("\n")]), isError: "true" }, meta: { problem: body } }
}

type Handler = (given: ToolArguments, key: KeyOfCall) => Effect.Effect<ToolAnswer, ToolFailure>

const answered = (json: string, text: string): ToolAnswer => ({ json, text, isReplay: false })

/** The longest answer that is shortened on the event loop, in characters: parsing it takes 2 ms. */
const maxInline = 256 * 1024

/** A call has no Idempotency-Key: it is identified by its arguments. */
const idempotencyOf = (tool: string) => ({ operation: `POST /mcp ${tool}`, key: undefined })

/** Creates the handler of each tool by its name, with the services behind the endpoints. */
const makeHandlers = Effect.gen(function* () {
  const forecasts = yield* Forecasts
  const forecaster = yield* Forecaster
  const credits = yield* Credits
  const limits = yield* KeyLimits
  const lists = yield* Lists
  const { withBalance } = yield* RequestKeys

  const withKey =
    (answer: (given: ToolArguments, key: AuthenticatedKey) => Effect.Effect<ToolAnswer, ToolFailure>): Handler =>
    (given, key) =>
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
        const charge = yield* forecasts.forecast({ request, ...callerOf(tool, key) })
        yield* noteCharge(charge)
        const { answer, reference } = charge
        return { json: answer, text: request.textOf(answer), isReplay: reference === undefined }
      })
    )

  /** A comparison in the form that was asked for; the text has a line for each campaign in either. */
  const compare = withKey(
    Effect.fnUntraced(function* (given, key) {
      const { detail, ...body } = yield* Effect.fromResult(readComparison(given))
      const { answer, ...charge } = yield* lists.forecast({
        ...callerOf(listOperation.tool.name, key),
        decode: lists.decode({ ...body, type: "json", answer: "json" }, key.id),
        answer: "json"
      })
      yield* noteCharge({ answer, ...charge })
      const brief = yield* answer.length > maxInline
        ? forecaster.compute(briefing, answer, { of: { key: key.id }, admit: Effect.void })
        : Effect.sync(() => briefOf(answer))
      return {
        json: detail ? answer : JSON.stringify(brief),
        text: [brief.totals.summary, Spoken.linesOf(brief)].filter((part) => part !== "").join("\n"),
        isRepeated: detail,
        isReplay: charge.reference === undefined
      }
    })
  )

  const benchmarks: Handler = (given) =>
    Effect.map(Effect.fromResult(readArguments(given, decodeBenchmarksRequest)), ({ measure }) => {
      if (measure === undefined) return answered(JSON.stringify({ measures }), Spoken.ofMeasures(measures))
      const found = benchmarksOf(measure)
      return answered(JSON.stringify(found), `${Spoken.ofBenchmarks(found)}\n${Spoken.figureLinesOf(found)}`)
    })

  const usage = withKey((given, key) =>
    Effect.gen(function* () {
      yield* Effect.fromResult(readArguments(given, decodeNothing))
      const usage = keyUsageOf(key, yield* credits.usage(key.id, key.subKey?.id))
      return answered(JSON.stringify(usage), Spoken.ofUsage(usage))
    })
  )

  return new Map<string, Handler>([
    ...toolOperations.map(({ operation, tool: { name } }) => [name, metered(operation, name)] as const),
    [listOperation.tool.name, compare],
    ["benchmarks", benchmarks],
    ["usage", usage]
  ])
})

const fail = (failure: ToolFailure) => Effect.map(CurrentRequest, (state) => failedReply(failure, state))

/** Creates the calls of each tool by its name. A failed one replies too: models do not see protocol errors. */
export const makeToolCalls = Effect.map(
  makeHandlers,
  (handlers) =>
    new Map(
      Array.from(handlers, ([name, handle]) => [
        name,
        (given: ToolArguments, key: KeyOfCall, readsStructured: boolean) =>
          Effect.map(handle(given, key), (answer) => answeredReply(answer, readsStructured)).pipe(
            Effect.catch(fail),
            Effect.catchCause((cause) => Effect.flatMap(failureOf(cause), fail))
          )
      ])
    )
)
