import { Effect, Result, Schedule, Schema } from "effect"
import { type Charge, Credits } from "../credits/Credits.ts"
import { currentBenchmarks } from "../forecast/benchmarks/CurrentBenchmarks.ts"
import { type MeteredKind, decodeMetered } from "../metering/MeteredRequest.ts"
import { CampaignForecasts } from "../metering/CampaignForecasts.ts"
import { Forecasts } from "../metering/Forecasts.ts"
import { decodeFields } from "../input/decodeFields.ts"
import { exactText, parseExactJson } from "../input/ExactJson.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { noteBalance } from "../keys/AuthenticationHttp.ts"
import { bodyLimit, historyLimit } from "../http/RequestBody.ts"
import { usageOf, usageText } from "../credits/usageText.ts"
import { PayloadTooLarge } from "../http/problems/HttpFailures.ts"
import { CurrentRequest } from "../http/RequestState.ts"
import type { ToolCall } from "./ToolCall.ts"
import type { ToolAnswer, ToolFailure } from "./toolResult.ts"
import type { ToolName } from "./Tools.ts"
import type { AuthenticatedKey } from "../keys/Authenticator.ts"

/** The largest arguments of `compare_campaigns`, in KiB. */
const mostArguments = 1024

/** A call repeated while the first is being answered waits for that answer, polling every 100 ms for up to 20 s. */
const untilAnswered = { schedule: Schedule.spaced("100 millis"), times: 200 }

type Handler = (call: ToolCall) => Effect.Effect<ToolAnswer, ToolFailure>

const refuseAbove = (limit: number, text: string) =>
  Buffer.byteLength(text) > limit * 1024 ? Effect.fail(new PayloadTooLarge({ limit })) : Effect.void

/** Decodes arguments of at most `limit` KiB. */
const read = <A, E>(
  given: ToolCall["arguments"],
  decode: (json: unknown) => Result.Result<A, E>,
  limit: number = bodyLimit
) =>
  "json" in given
    ? Effect.fromResult(decode(given.json))
    : Effect.andThen(
        refuseAbove(limit, given.text),
        Effect.suspend(() => Effect.fromResult(Result.flatMap(parseExactJson(given.text), decode)))
      )

const decodeNothing = decodeFields(Schema.Struct({}), { unknown: () => "this tool takes no arguments" })

const benchmarksText = JSON.stringify(currentBenchmarks)

/** A call has no Idempotency-Key: it is identified by its arguments. */
const idempotencyOf = (tool: ToolName) => ({ operation: `POST /mcp ${tool}`, key: undefined })

/** Creates the handler of each tool, with the services behind the endpoints. */
export const makeToolHandlers = Effect.gen(function* () {
  const forecasts = yield* Forecasts
  const campaignForecasts = yield* CampaignForecasts
  const credits = yield* Credits
  const limits = yield* KeyLimits

  const withKey =
    (
      answer: (given: ToolCall["arguments"], key: AuthenticatedKey) => Effect.Effect<ToolAnswer, ToolFailure>
    ): Handler =>
    ({ arguments: given, key }) =>
      Effect.flatMap(Effect.fromResult(key), (key) =>
        Effect.tapError(answer(given, key), () => noteBalance(credits.balance(key.id, key.subKey?.id)))
      )

  const charged = Effect.fnUntraced(function* (charge: Effect.Effect<Charge, ToolFailure>) {
    const { answer, balance, reference } = yield* Effect.retry(charge, {
      ...untilAnswered,
      while: ({ _tag }) => _tag === "IdempotencyInProgress"
    })
    const state = yield* CurrentRequest
    state.balance = balance
    state.charge = reference
    return { text: answer, isReplay: reference === undefined }
  })

  /** A tool that is equivalent to an endpoint, for one credit. */
  const answered = (tool: ToolName, kind: MeteredKind): Handler =>
    withKey((given, { id, subKey }) =>
      Effect.flatMap(
        read(given, (json) => decodeMetered(kind, json), historyLimit),
        (metered) =>
          charged(forecasts.forecast({ ...metered, keyId: id, subKeyId: subKey?.id, idempotency: idempotencyOf(tool) }))
      )
    )

  const handlers: { readonly [Tool in ToolName]: Handler } = {
    forecast: answered("forecast", "forecast"),
    compare_campaigns: withKey((given, { id, subKey }) =>
      Effect.gen(function* () {
        const text = "text" in given ? given.text : yield* Effect.fromResult(exactText(given.json))
        yield* refuseAbove(mostArguments, text)
        return yield* charged(
          campaignForecasts.forecast({
            keyId: id,
            subKeyId: subKey?.id,
            body: { text, format: "json" },
            format: "json",
            idempotency: idempotencyOf("compare_campaigns"),
            onAbandoned: (forecasts) => limits.countAbandoned(id, forecasts)
          })
        )
      })
    ),
    reach_goal: answered("reach_goal", "goal"),
    campaign_progress: answered("campaign_progress", "progress"),
    benchmarks: ({ arguments: given }) =>
      Effect.as(read(given, decodeNothing), { text: benchmarksText, isReplay: false }),
    usage: withKey((given, key) =>
      Effect.gen(function* () {
        yield* read(given, decodeNothing)
        const account = yield* usageOf(credits, key)
        const state = yield* CurrentRequest
        state.balance = account.balance
        return { text: usageText(key, account), isReplay: false }
      })
    )
  }
  return handlers
})
