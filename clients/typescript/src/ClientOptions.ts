import type { PastCampaign } from "./Wire.ts"

/** Options of a client, all of them optional. */
export interface ClientOptions {
  /** The API key; the environment variable SERVICE_API_KEY if left out. */
  readonly apiKey?: string | undefined
  /**
   * The address of the service, with or without a path. If left out, the environment variable SERVICE_BASE_URL, or else
   * `http://127.0.0.1:3000`.
   */
  readonly baseUrl?: string | undefined
  /** The seconds that a call may take, including retries and the pauses between them: at most 600, by default 10. */
  readonly timeout?: number | undefined
  /** The maximum number of retries of a call, by default 2. */
  readonly maxRetries?: number | undefined
  /** Sends the requests, such as a `fetch` with a proxy or one for tests; by default the runtime's own. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The seconds that this call may take, including retries; by default the client's `timeout`. */
  readonly timeout?: number | undefined
  /** The maximum number of retries of this call, by default the client's `maxRetries`. */
  readonly maxRetries?: number | undefined
}

/** Options of a call that costs credits. */
export interface ForecastOptions extends CallOptions {
  /**
   * Identifies the call: another one with the same idempotency key within 24 hours gets the first response and costs
   * nothing. If left out, each call gets a new one, which its retries share.
   */
  readonly idempotencyKey?: string | undefined
}

/** Options of a call for one forecast. */
export interface OneForecastOptions extends ForecastOptions {
  /**
   * True for the short form of the forecast, `MinimalForecast`: the same figures without the details and the notes, for
   * the same credit.
   */
  readonly minimal?: boolean | undefined
}

/** Options of a call for many campaigns. */
export interface CampaignsOptions extends ForecastOptions {
  /** Past campaigns of the sender, 1 to 100, from which the rates of all campaigns are learned. */
  readonly history?: ReadonlyArray<PastCampaign> | undefined
  /** True for the campaigns of different clients, which have nothing in common. Not with a history. */
  readonly independent?: boolean | undefined
}

/** Options of a call for usage by day or by sub-key. */
export interface UsageTableOptions extends CallOptions {
  /** The UTC month, like 2026-11; the current one if left out. */
  readonly month?: string | undefined
}

/** Options of a call for a page of a list. */
export interface PageOptions extends CallOptions {
  /** The `next_cursor` of the previous page; the first page if left out. */
  readonly cursor?: string | undefined
}
