// What goes over the wire, by the names of the API's declaration. The build writes these types out for those who install
// the package, so that they need none of Effect's.
import type { HttpApiEndpoint } from "effect/http-api"
import type { operations } from "./Operations.ts"

type Operations = typeof operations

/** The name of something that the client can call. */
export type Operation = keyof Operations
/** What an operation answers. */
export type Success<Name extends Operation> = HttpApiEndpoint.Success<Operations[Name]>["Type"]
type Payload<Name extends Operation> = HttpApiEndpoint.Payload<Operations[Name]>["Type"]
type Refusal = HttpApiEndpoint.Error<Operations["forecast"]>["Type"]

export type ForecastRequest = Payload<"forecast">
export type ForecastAnswer = Success<"forecast">
export type LegacyForecastAnswer = Success<"legacyRoi">
export type KeyUsage = Success<"usage">
export type LedgerPage = Success<"ledger">
export type CreditPacks = Success<"creditPacks">
export type Rotation = Payload<"rotateKey">
export type RotatedKey = Success<"rotateKey">
export type FieldError = Extract<Refusal, { readonly errors: unknown }>["errors"][number]
