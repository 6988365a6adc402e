import { Predicate } from "effect"
import { call } from "./Call.ts"
import type { CallOptions, ClientOptions, ForecastOptions } from "./ClientOptions.ts"
import { type ClientSettings, checkOptions } from "./ClientSettings.ts"
import { InvalidResponseError } from "./NetworkErrors.ts"
import type {
  Benchmarks,
  Campaign,
  CampaignsAnswer,
  CreditPacks,
  ForecastAnswer,
  ForecastRequest,
  GoalAnswer,
  GoalRequest,
  KeyUsage,
  LedgerPage,
  LegacyForecastAnswer,
  RotatedKey,
  Rotation
} from "./Wire.ts"

export * from "./ApiError.ts"
export type * from "./ClientOptions.ts"
export * from "./NetworkErrors.ts"
export type * from "./Wire.ts"

/** A change of the credits of a key. */
export type LedgerEntry = LedgerPage["entries"][number]

/**
 * Calls the service from Node.js 20 or newer, Deno, Bun, or any other runtime with `fetch`. It refuses to run in a
 * browser, where everybody who opens the page could read the key.
 *
 * Connection failures, rate limits and server errors are retried, after the pause that the service asks for or with
 * exponential backoff. All attempts at a forecast or a goal share one Idempotency-Key, so it costs one credit however
 * often it is sent. An answer that is not a success rejects with an `ApiError`, a network failure with a
 * `ConnectionError` or `TimeoutError`.
 */
export class Client {
  readonly #settings: ClientSettings

  /** Throws a TypeError if an option is invalid, if there is no API key, and in a browser. */
  constructor(options: ClientOptions = {}) {
    if ("window" in globalThis && "document" in globalThis) {
      throw new TypeError("A browser must not have the API key: call the service from your server")
    }
    this.#settings = checkOptions(options)
  }

  /** Forecasts a campaign, for one credit. */
  forecast(request: ForecastRequest, options: ForecastOptions = {}): Promise<ForecastAnswer> {
    return call(this.#settings, "forecast", { body: request, ...forecastOptions(options) })
  }

  /** Forecasts a campaign with a campaign score and a risk level, for one credit. New code should call `forecast`. */
  legacyRoi(request: ForecastRequest, options: ForecastOptions = {}): Promise<LegacyForecastAnswer> {
    return call(this.#settings, "legacyRoi", { body: request, ...forecastOptions(options) })
  }

  /** Finds what each input alone would have to be for a campaign to reach a goal, for one credit. */
  goal(request: GoalRequest, options: ForecastOptions = {}): Promise<GoalAnswer> {
    return call(this.#settings, "goal", { body: request, ...forecastOptions(options) })
  }

  /** The published figures on cold outreach, and the thresholds and references that forecasts use. Costs no credit. */
  benchmarks(options: CallOptions = {}): Promise<Benchmarks> {
    return call(this.#settings, "benchmarks", options)
  }

  /**
   * Forecasts many campaigns together, up to 1,000, for one credit each: all of them or none. Rejects with a
   * `UsageExhaustedError` if the key has fewer credits left.
   */
  forecasts(campaigns: ReadonlyArray<Campaign>, options: ForecastOptions = {}): Promise<CampaignsAnswer> {
    return call(this.#settings, "forecasts", { body: { campaigns }, ...forecastOptions(options) })
  }

  /** The key's usage in the current month and its remaining credits. */
  usage(options: CallOptions = {}): Promise<KeyUsage> {
    return call(this.#settings, "usage", options)
  }

  /** Every change of the key's credits, newest first. Pages are fetched on demand, each with a call of its own. */
  async *ledger({ signal }: CallOptions = {}): AsyncGenerator<LedgerEntry, void, undefined> {
    let next: { readonly cursor?: string } | undefined = {}
    while (next !== undefined) {
      // Each page contains the cursor of the next one.
      // oxlint-disable-next-line no-await-in-loop
      const page: LedgerPage = await call(this.#settings, "ledger", { query: { limit: "200", ...next }, signal })
      if (!Array.isArray(page.entries)) throw new InvalidResponseError("The answer has no entries")
      yield* page.entries
      next = Predicate.isString(page.next_cursor) ? { cursor: page.next_cursor } : undefined
    }
  }

  /** Lists the credit packs that can be ordered. */
  creditPacks(options: CallOptions = {}): Promise<CreditPacks> {
    return call(this.#settings, "creditPacks", options)
  }

  /**
   * Replaces the key. The new key is returned only once; this client keeps using the old one, which stays valid for
   * `grace_hours` more, 24 if left out. It is not retried if the service may have replaced the key already: the old key
   * is then still valid, unless `grace_hours` was 0, and you can call again.
   */
  rotateKey(rotation: Rotation = {}, options: CallOptions = {}): Promise<RotatedKey> {
    // A retry could overtake the first attempt, which would then replace the key that the retry returned with one that
    // nobody has seen. And if the old key ended at once, a retry would fail as unauthorized and hide what happened.
    return call(this.#settings, "rotateKey", { body: rotation, isRepeatable: false, ...options })
  }
}

const forecastOptions = ({ idempotencyKey = crypto.randomUUID(), signal }: ForecastOptions) => ({
  idempotencyKey,
  signal
})
