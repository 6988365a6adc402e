/** How to reach the service. All options are optional. */
export interface ClientOptions {
  /** The API key; the environment variable SERVICE_API_KEY if left out. */
  readonly apiKey?: string | undefined
  /** The address of the service, with or without a path; `http://127.0.0.1:3000` if left out. */
  readonly baseUrl?: string | undefined
  /** How many seconds a call may take, including retries and the pauses between them: at most 600, 10 if left out. */
  readonly timeout?: number | undefined
  /** How often a call is retried at most; 2 if left out. */
  readonly maxRetries?: number | undefined
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of a single forecast or goal. */
export interface ForecastOptions extends CallOptions {
  /**
   * Identifies it: a call with the same idempotency key within 24 hours gets the first answer and costs
   * nothing. If left out, each call gets a new one, which its retries share.
   */
  readonly idempotencyKey?: string | undefined
}
