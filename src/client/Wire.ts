// The types of requests and answers, derived from the API's declaration. The build expands them, so that users of the
// package do not need Effect's types.
import type { HttpApiEndpoint } from "effect/http-api"
import type { operations } from "./Operations.ts"

type Operations = typeof operations

/** The name of an operation of the client. */
export type Operation = keyof Operations
/** The answer of an operation. */
export type Success<Name extends Operation> = HttpApiEndpoint.Success<Operations[Name]>["Type"]
type Payload<Name extends Operation> = HttpApiEndpoint.Payload<Operations[Name]>["Type"]
type Refusal = HttpApiEndpoint.Error<Operations["forecast"]>["Type"]

export type ForecastRequest = Payload<"forecast">
export type ForecastAnswer = Success<"forecast">
export type LegacyForecastAnswer = Success<"legacyRoi">
export type GoalRequest = Payload<"goal">
export type GoalAnswer = Success<"goal">
export type Benchmarks = Success<"benchmarks">
export type Campaign = Payload<"forecasts">["campaigns"][number]
export type CampaignsAnswer = Success<"forecasts">
export type CampaignForecast = CampaignsAnswer["forecasts"][number]
export type KeyUsage = Success<"usage">
export type LedgerPage = Success<"ledger">
export type CreditPacks = Success<"creditPacks">
export type Rotation = Payload<"rotateKey">
export type RotatedKey = Success<"rotateKey">
export type FieldError = Extract<Refusal, { readonly errors: unknown }>["errors"][number]
