/** How to reach the service. Everything may be left out. */
export interface ClientOptions {
  /** The API key; from the variable SERVICE_API_KEY if left out. */
  readonly apiKey?: string | undefined
  /** The address of the service, with or without a path; `http://127.0.0.1:3000` if left out. */
  readonly baseUrl?: string | undefined
  /** How many seconds a call may take, with all its attempts and the pauses between them: at most 600, 10 if left out. */
  readonly timeout?: number | undefined
  /** How often a call is tried again at the most; 2 if left out. */
  readonly maxRetries?: number | undefined
}

/** What a call may be told beside its request. */
export interface CallOptions {
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** What a forecast may be told beside its request. */
export interface ForecastOptions extends CallOptions {
  /**
   * Names the forecast that you mean: sent again with the same key within 24 hours, it gets the first answer and costs
   * nothing. If left out, each call has a new one, which its own attempts share.
   */
  readonly idempotencyKey?: string | undefined
}
