import type { PastCampaign } from "./Wire.ts"

/** How to reach the service. All options are optional. */
export interface ClientOptions {
  /** The API key; the environment variable SERVICE_API_KEY if left out. */
  readonly apiKey?: string | undefined
  /**
   * The address of the service, with or without a path. If left out, the environment variable SERVICE_BASE_URL, or else
   * `http://127.0.0.1:3000`.
   */
  readonly baseUrl?: string | undefined
  /** How many seconds a call may take, including retries and the pauses between them: at most 600, 10 if left out. */
  readonly timeout?: number | undefined
  /** How many times a call is retried at most; 2 if left out. */
  readonly maxRetries?: number | undefined
  /** What sends the requests, such as a `fetch` with a proxy or one for tests; the runtime's own if left out. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How many seconds this call may take, including retries; the client's `timeout` if left out. */
  readonly timeout?: number | undefined
  /** How many times this call is retried at most; the client's `maxRetries` if left out. */
  readonly maxRetries?: number | undefined
}

/** Options of a call that costs credits. */
export interface ForecastOptions extends CallOptions {
  /**
   * Identifies the call: another one with the same idempotency key within 24 hours gets the first answer and costs
   * nothing. If left out, each call gets a new one, which its retries share.
   */
  readonly idempotencyKey?: string | undefined
}

/** Options of a call for many campaigns. */
export interface CampaignsOptions extends ForecastOptions {
  /** Past campaigns of the sender, 1 to 100, from which the rates of all campaigns are learned. */
  readonly history?: ReadonlyArray<PastCampaign> | undefined
}

/** Options of a call for a page of the ledger. */
export interface LedgerPageOptions extends CallOptions {
  /** The `next_cursor` of the previous page; the first page if left out. */
  readonly cursor?: string | undefined
}
