import { Effect, Option, Result, Schema } from "effect"
import { canonicalText } from "../campaign/canonicalText.ts"
import { Assumptions, decodeAssumptions, exampleAssumptions } from "../campaign/Assumptions.ts"
import { computeForecast } from "../forecast/Forecast.ts"
import { forecastLines } from "../forecast/forecastLines.ts"
import { Forecast } from "../forecast/ForecastAnswer.ts"
import { type Forecaster, learns, type Turn } from "../forecast/Forecaster.ts"
import { computeLegacyForecast, LegacyForecast } from "../forecast/LegacyForecast.ts"
import { MinimalForecast, minimalOf } from "../forecast/MinimalForecast.ts"
import type { InvalidInput } from "../input/InvalidInput.ts"
import type { Overloaded } from "../Limits.ts"
import { forecastCall, type OperationCall } from "./OperationCall.ts"

/** The description of an operation, and how it is called. */
export interface Operation extends Pick<OperationCall, "path"> {
  /** The method of the TypeScript client, once both clients have it: then the document shows code that calls it. */
  readonly clientMethod?: OperationCall["clientMethod"]
  /** Its ID in the API document. */
  readonly id: string
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
  /** True if computing the answer takes microseconds, and so waits for no turn. */
  readonly isQuick: boolean
  /** Computes the answer, an object. */
  readonly compute: <E>(forecaster: Forecaster["Service"], turn: Turn<E>) => Effect.Effect<object, E | Overloaded>
  /** The text that an agent reads of its answer, which is given as JSON: the summary and a small table. */
  readonly textOf: (answer: string) => string
}

/** The words of an answer in the API document. */
interface AnswerWords {
  /** Its name with the usage of its key, such as ForecastAnswer. */
  readonly identifier: string
  readonly description: string
}

/** The short form of an answer, which programs get with `Prefer: return=minimal`. */
interface MinimalForm extends AnswerWords {
  readonly schema: Schema.Struct<Schema.Struct.Fields>
  readonly example: () => object
  readonly read: (json: unknown) => Result.Result<PaidRequest, InvalidInput>
}

/** The row of an operation: its words, what reads, computes and answers it, and its example. */
interface OperationRow<I, A> extends Operation {
  readonly isDeprecated?: true
  /** The requests of its key this month in the example of its answer, as if the code samples ran one after another. */
  readonly exampleRequests: number
  /** A request; encoded, its JSON object. */
  readonly request: Schema.Codec<I, object>
  readonly decode: (json: unknown) => Result.Result<I, InvalidInput>
  /** True for requests that wait for no turn: by default none. */
  readonly isQuick?: (request: I) => boolean
  readonly compute: (
    forecaster: Forecaster["Service"]
  ) => <E>(request: I, turn: Turn<E>) => Effect.Effect<A, E | Overloaded>
  readonly answer: AnswerWords & {
    readonly schema: Schema.Struct<Schema.Struct.Fields> & Schema.Codec<A, unknown>
    /** The answer to the example of the request. */
    readonly example: () => A
  }
  readonly minimal?: AnswerWords & Pick<MinimalForm, "schema"> & { readonly of: (answer: A) => object }
  /** The lines that an agent reads of an answer: its summary, which may be empty, and a small table. Only for tools. */
  readonly lines?: (answer: A) => ReadonlyArray<string>
}

/** Creates an operation with one answer for one credit. */
export const operation = <I, A extends object>(row: OperationRow<I, A>) => {
  const { minimal } = row
  const encode = Schema.encodeSync(row.request)
  const decodeAnswer = Schema.decodeUnknownOption(Schema.fromJsonString(row.answer.schema))
  const textOf = (answer: string): string =>
    Option.match(decodeAnswer(answer), {
      // It was stored by an earlier version, whose answers had other fields.
      onNone: () => answer,
      onSome: (answer) => (row.lines?.(answer) ?? []).filter((line) => line !== "").join("\n")
    })
  const requestOf = (given: I): PaidRequest => ({
    canonical: () => canonicalText(encode(given)),
    isQuick: row.isQuick?.(given) === true,
    compute: (forecaster, turn) => row.compute(forecaster)(given, turn),
    textOf
  })
  /** The same request for the short form of its answer: it has the same meaning, and costs as much. */
  const minimalRequestOf =
    (of: (answer: A) => object) =>
    (given: I): PaidRequest => ({
      ...requestOf(given),
      compute: (forecaster, turn) => Effect.map(row.compute(forecaster)(given, turn), of)
    })
  return {
    ...row,
    minimal: minimal && {
      ...minimal,
      example: () => minimal.of(row.answer.example()),
      read: (json: unknown) => Result.map(row.decode(json), minimalRequestOf(minimal.of))
    },
    requestOf,
    /** Reads a request from a JSON object. Fails with InvalidInput, which lists every error. */
    read: (json: unknown): Result.Result<PaidRequest, InvalidInput> => Result.map(row.decode(json), requestOf)
  }
}

/** An operation with one answer for one credit, whatever its request and its answer. */
export interface PaidOperation extends Omit<
  OperationRow<unknown, object>,
  "compute" | "decode" | "isQuick" | "lines" | "minimal"
> {
  readonly minimal?: MinimalForm | undefined
  readonly read: (json: unknown) => Result.Result<PaidRequest, InvalidInput>
}

/** The limit on the size of a body, in KiB, where a history of past campaigns is allowed. */
export const historyLimit = 64

const past =
  "Give the counts of all of the user's past campaigns as history, if there are any, also of those that failed: rates are learned from them."

/** The sentence of tools that share their fields with the tool `forecast`. */
export const asInForecast = "The fields of a campaign are those of the tool forecast."

/** The cost of a tool. */
export const oneCredit = "Costs 1 credit."

const isQuick = (request: Assumptions) => !learns(request)

/** The operations of the specification, in the order of the document. */
export const operations = {
  forecast: operation({
    id: "forecast",
    ...forecastCall,
    summary: "Forecast a campaign",
    description:
      "Computes replies, meetings, clients, revenue, ROI and costs of a campaign in exact decimal arithmetic. A 200 " +
      "takes one credit. No other response does, with one exception: if the response was lost, or was 503 " +
      "unavailable, the credit may have been taken. With an Idempotency-Key a request takes at most one credit, " +
      "however often it is sent. With `Prefer: return=minimal` the 200 is MinimalForecast, which is less than half as " +
      "long, for the same credit; a replay keeps the form of its first answer.",
    limit: historyLimit,
    exampleRequests: 1,
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
    isQuick,
    compute: ({ forecast }) => forecast,
    answer: {
      identifier: "ForecastAnswer",
      description: "The forecast of a campaign, and the usage and remaining credits of the key.",
      schema: Forecast,
      example: () => computeForecast(exampleAssumptions).forecast
    },
    minimal: {
      identifier: "MinimalForecast",
      description: "The short form of a forecast, with Prefer: return=minimal.",
      schema: MinimalForecast,
      of: minimalOf
    },
    lines: forecastLines
  }),
  legacy: operation({
    id: "legacyForecast",
    path: "/api/v1/service/roi",
    summary: "Forecast a campaign (legacy)",
    description:
      "The forecast, with a campaign score and a risk level added. The endpoint stays available; new programs should " +
      "use POST /api/v1/forecast. Its errors also have the headers Deprecation and Link.",
    isDeprecated: true,
    clientMethod: "legacyRoi",
    limit: historyLimit,
    exampleRequests: 2,
    request: Assumptions,
    decode: decodeAssumptions,
    isQuick,
    compute: ({ legacy }) => legacy,
    answer: {
      identifier: "LegacyForecastAnswer",
      description: "The forecast of a campaign with a campaign score and a risk level.",
      schema: LegacyForecast,
      example: () => computeLegacyForecast(exampleAssumptions)
    }
  })
}
