import type { IncomingHttpHeaders } from "node:http"
import type { Effect, Result } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Balance } from "../../Balance.ts"
import type { ApiKey } from "../../keys/ApiKey.ts"
import type { PayloadTooLarge, UnsupportedMediaType } from "../problems/HttpFailures.ts"
import type { Failure } from "../../Problems.ts"

/** A request with a usable key. */
export interface Call {
  /** The endpoint's identifier. */
  readonly endpoint: string
  readonly key: ApiKey
  readonly headers: IncomingHttpHeaders
  /** The body as text, or why it was not read; empty where the endpoint takes none. */
  readonly body: Result.Result<string, PayloadTooLarge | UnsupportedMediaType>
}

/** The 200 to a call. */
export interface Answer {
  /** A JSON text. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly balance: Balance
  /** The reference of the charge in the ledger, for the log. */
  readonly charge: string | undefined
}

/** The 200 to a call that takes long: it is made beside the batches that follow, and interrupted where its caller goes away. */
export type LongAnswer<E = Failure> = Effect.Effect<Answer, E>

type Results<E> = ReadonlyArray<Result.Result<Answer | LongAnswer<E>, E>>

/** Answers the calls that arrive together at some endpoints: a result for each call, in order. */
export interface BatchHandler {
  readonly endpoints: ReadonlyArray<Pick<HttpApiEndpoint.Top, "identifier" | "method" | "path">>
  readonly answer: (calls: ReadonlyArray<Call>) => Effect.Effect<Results<Failure>>
}

/** Makes a handler, which fails with nothing but what its endpoints declare. */
export const batchHandler = <Endpoint extends HttpApiEndpoint.Top>(
  endpoints: ReadonlyArray<Endpoint>,
  answer: (calls: ReadonlyArray<Call>) => Effect.Effect<Results<Failure & HttpApiEndpoint.Error<Endpoint>["Type"]>>
): BatchHandler => ({ endpoints, answer })
