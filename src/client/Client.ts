import { Predicate } from "effect"
import { call } from "./Call.ts"
import type { CallOptions, ClientOptions, ForecastOptions } from "./ClientOptions.ts"
import { type ClientSettings, checkOptions } from "./ClientSettings.ts"
import { InvalidResponseError } from "./NetworkErrors.ts"
import type {
  CreditPacks,
  ForecastAnswer,
  ForecastRequest,
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
 * Calls the service from Node.js 20 or newer, Deno, Bun, and wherever else there is `fetch`. Not from a browser: everybody
 * who opens the page could read the key.
 *
 * Connection failures, rate limits and failures of the service are tried again, after the pause that the service asks
 * for or a growing one. All attempts at a forecast share one Idempotency-Key: however often it is sent, it costs one
 * credit. An answer that is not a success rejects with an `ApiError`; a network that fails with a `ConnectionError` or
 * `TimeoutError`.
 */
export class Client {
  readonly #settings: ClientSettings

  /** Throws a TypeError where an option is not usable, where there is no API key, and in a browser. */
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

  /** Forecasts a campaign with a campaign score and a risk level, for one credit. New callers take `forecast`. */
  legacyRoi(request: ForecastRequest, options: ForecastOptions = {}): Promise<LegacyForecastAnswer> {
    return call(this.#settings, "legacyRoi", { body: request, ...forecastOptions(options) })
  }

  /** What the key has used and has left. */
  usage(options: CallOptions = {}): Promise<KeyUsage> {
    return call(this.#settings, "usage", options)
  }

  /** Every change of the key's credits, newest first. Pages are fetched as they are needed, each a call of its own. */
  async *ledger({ signal }: CallOptions = {}): AsyncGenerator<LedgerEntry, void, undefined> {
    let next: { readonly cursor?: string } | undefined = {}
    while (next !== undefined) {
      // Only this page says where the one after it begins.
      // oxlint-disable-next-line no-await-in-loop
      const page: LedgerPage = await call(this.#settings, "ledger", { query: { limit: "200", ...next }, signal })
      if (!Array.isArray(page.entries)) throw new InvalidResponseError("The answer has no entries")
      yield* page.entries
      next = Predicate.isString(page.next_cursor) ? { cursor: page.next_cursor } : undefined
    }
  }

  /** The credit packs that can be ordered. */
  creditPacks(options: CallOptions = {}): Promise<CreditPacks> {
    return call(this.#settings, "creditPacks", options)
  }

  /**
   * Replaces the key. The new one is shown this once; the old one, which this client goes on with, is valid for
   * `grace_hours` more, 24 if left out. It is not tried again where the service may have replaced the key: unless
   * `grace_hours` was 0, the old key is still valid then, and you can call again.
   */
  rotateKey(rotation: Rotation = {}, options: CallOptions = {}): Promise<RotatedKey> {
    // A repeat could overtake the first, which the service may still be at: the first would then replace the key that
    // the repeat has shown, and its own would be known to nobody. And where the old key ended at once, a repeat would be
    // refused as unknown, which hides what happened.
    return call(this.#settings, "rotateKey", { body: rotation, isRepeatable: false, ...options })
  }
}

const forecastOptions = ({ idempotencyKey = crypto.randomUUID(), signal }: ForecastOptions) => ({
  idempotencyKey,
  signal
})
