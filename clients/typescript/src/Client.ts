import type { Answered } from "./Answered.ts"
import { call } from "./Call.ts"
import type {
  CallOptions,
  CampaignsOptions,
  ClientOptions,
  ForecastOptions,
  OneForecastOptions,
  PageOptions,
  UsageTableOptions
} from "./ClientOptions.ts"
import { type ClientSettings, checkOptions } from "./ClientSettings.ts"
import { newIdempotencyKey } from "./newIdempotencyKey.ts"
import { InvalidArgumentError, InvalidResponseError } from "./OutreachForecastError.ts"
import type {
  Benchmarks,
  Campaign,
  CampaignsAnswer,
  CreatedSubKey,
  CreditPacks,
  ForecastAnswer,
  ForecastRequest,
  GoalAnswer,
  GoalRequest,
  KeyUsage,
  LedgerEntry,
  LedgerPage,
  LegacyForecastAnswer,
  MinimalForecast,
  SubKeyInput,
  ProgressAnswer,
  ProgressRequest,
  RotatedKey,
  Rotation,
  SubKey,
  SubKeyChange,
  SubKeys,
  UsageTable
} from "./Wire.ts"

const pathOf = (id: string) => ({ sub_key_id: id })

/** Adds an Idempotency-Key, which all attempts of the call share. */
const paid = <Options extends ForecastOptions>(options: Options): Options => ({
  ...options,
  idempotencyKey: options.idempotencyKey ?? newIdempotencyKey()
})

/**
 * Calls the service from Node.js 20.3 or newer, Deno, Bun, a worker, or any other runtime with `fetch`. It refuses to
 * run in a browser, where anyone who opens the page could read the key.
 *
 * Connection failures, rate limits and server errors are retried, after the pause that the service asks for or with
 * exponential backoff. All attempts at a forecast share one Idempotency-Key, so it costs one credit however
 * often it is sent. A call that fails rejects with an `OutreachForecastError`: an `APIError` if the service responded
 * with an error, an `APIConnectionError` or `APITimeoutError` if it did not respond, an `InvalidResponseError` if
 * something else responded, an `InvalidArgumentError` if nothing could be sent.
 */
export class Client {
  readonly #settings: ClientSettings
  /** The address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** The seconds that a call may take, including retries. */
  readonly timeout: number
  /** The maximum number of retries of a call. */
  readonly maxRetries: number

  /** Throws an `InvalidArgumentError` if an option is invalid, if there is no API key, and in a browser. */
  constructor(options: ClientOptions = {}) {
    // Tests may simulate a page in Node.js.
    const isServer = typeof globalThis.process?.versions?.node === "string"
    if (!isServer && "window" in globalThis && "document" in globalThis) {
      throw new InvalidArgumentError("A browser must not have the API key: call the service from your server")
    }
    this.#settings = checkOptions(options)
    this.baseUrl = this.#settings.baseUrl
    this.timeout = this.#settings.timeout
    this.maxRetries = this.#settings.maxRetries
  }

  /** The same client with other options, such as a longer timeout; this one stays as it is. */
  withOptions(options: ClientOptions): Client {
    const given = Object.entries(options).filter(([, value]) => value !== undefined)
    return new Client({ ...this.#settings, ...Object.fromEntries(given) })
  }

  /** Forecasts a campaign, for one credit; with `minimal: true` in a short form. */
  forecast(
    request: ForecastRequest,
    options: OneForecastOptions & {
      /** The short form. */
      readonly minimal: true
    }
  ): Promise<Answered<MinimalForecast>>
  /** Forecasts a campaign, for one credit. */
  forecast(
    request: ForecastRequest,
    options?: OneForecastOptions & {
      /** The whole forecast. */
      readonly minimal?: false | undefined
    }
  ): Promise<Answered<ForecastAnswer>>
  /** Forecasts a campaign, for one credit, in the form that `minimal` asks for. */
  forecast(
    request: ForecastRequest,
    options?: OneForecastOptions
  ): Promise<Answered<ForecastAnswer> | Answered<MinimalForecast>>
  forecast(request: ForecastRequest, options: OneForecastOptions = {}): Promise<Answered<ForecastAnswer>> {
    return call(this.#settings, "POST /api/v1/forecast", { body: request }, paid(options))
  }

  /** Forecasts a campaign with a campaign score and a risk level, for one credit. New code should call `forecast`. */
  legacyRoi(request: ForecastRequest, options: ForecastOptions = {}): Promise<Answered<LegacyForecastAnswer>> {
    return call(this.#settings, "POST /api/v1/service/roi", { body: request }, paid(options))
  }

  /** Finds the value that each input alone needs to reach a goal, for one credit. */
  goal(request: GoalRequest, options: ForecastOptions = {}): Promise<Answered<GoalAnswer>> {
    return call(this.#settings, "POST /api/v1/goals", { body: request }, paid(options))
  }

  /** Forecasts the end of a campaign that is being sent, for one credit. */
  progress(request: ProgressRequest, options: ForecastOptions = {}): Promise<Answered<ProgressAnswer>> {
    return call(this.#settings, "POST /api/v1/progress", { body: request }, paid(options))
  }

  /** The published figures on cold outreach, and the thresholds and references that forecasts use. Costs no credit. */
  benchmarks(options: CallOptions = {}): Promise<Answered<Benchmarks>> {
    return call(this.#settings, "GET /api/v1/benchmarks", {}, options)
  }

  /**
   * Forecasts many campaigns together, up to 1,000, for one credit each: all or nothing. Their rates are learned
   * from `history`, if there is one; without one, they are one sender's unless they are `independent`. Rejects with a `UsageExhaustedError` if the key has too few credits left.
   */
  forecasts(
    campaigns: ReadonlyArray<Campaign>,
    { history, independent, ...options }: CampaignsOptions = {}
  ): Promise<Answered<CampaignsAnswer>> {
    return call(this.#settings, "POST /api/v1/forecasts", { body: { campaigns, history, independent } }, paid(options))
  }

  /** The key's usage in the current month and its remaining credits. */
  async usage(options: CallOptions = {}): Promise<Answered<KeyUsage>> {
    const usage = await call(this.#settings, "GET /api/v1/usage", { query: {} }, options)
    if (!("by" in usage)) return usage
    throw new InvalidResponseError("The response is not the usage of a key", { requestId: usage.requestId })
  }

  /** The successful forecasts of a month, by day and sub-key or by sub-key alone. */
  async usageBy(by: UsageTable["by"], { month, ...options }: UsageTableOptions = {}): Promise<Answered<UsageTable>> {
    const usage = await call(this.#settings, "GET /api/v1/usage", { query: { by, month } }, options)
    if ("by" in usage) return usage
    throw new InvalidResponseError("The response is not a table of usage", { requestId: usage.requestId })
  }

  /**
   * Every change to the key's credits, newest first. Pages are fetched on demand; the timeout applies to each of them.
   */
  async *ledger(options: CallOptions = {}): AsyncGenerator<LedgerEntry, void, undefined> {
    let cursor: string | null | undefined
    while (cursor !== null) {
      const page: LedgerPage = await this.ledgerPage({ ...options, cursor })
      yield* page.entries
      cursor = page.next_cursor
    }
  }

  /** The first 200 changes to the key's credits, newest first, or those from the `next_cursor` of the page before. */
  async ledgerPage({ cursor, ...options }: PageOptions = {}): Promise<Answered<LedgerPage>> {
    const query = { limit: 200, cursor }
    const page = await call(this.#settings, "GET /api/v1/credits/ledger", { query }, options)
    // An invalid page would make the iteration over all pages endless.
    const { entries, next_cursor } = page
    if (Array.isArray(entries) && (next_cursor === null || typeof next_cursor === "string")) return page
    throw new InvalidResponseError("The response is not a page of the ledger", { requestId: page.requestId })
  }

  /** Lists the credit packs that can be ordered. */
  creditPacks(options: CallOptions = {}): Promise<Answered<CreditPacks>> {
    return call(this.#settings, "GET /api/v1/credit-packs", {}, options)
  }

  /**
   * Replaces the key. The new key is returned only once; this client keeps using the old one, which stays valid for
   * `grace_hours` more, 24 if left out. It is not retried if the service may have replaced the key already: the old key
   * is then still valid, unless `grace_hours` was 0, and you can call again.
   */
  rotateKey(rotation: Rotation = {}, options: CallOptions = {}): Promise<Answered<RotatedKey>> {
    // A retry could overtake the first attempt, which would then replace the key that the retry returned with one that
    // nobody has seen. And if the old key expired immediately, a retry would fail as unauthorized and hide the reason.
    return call(this.#settings, "POST /api/v1/keys/rotate", { body: rotation }, options)
  }

  /**
   * The first 200 sub-keys of the key, oldest first, or those from the `next_cursor` of the page before; those revoked
   * in the last 90 days too.
   */
  subKeys({ cursor, ...options }: PageOptions = {}): Promise<Answered<SubKeys>> {
    return call(this.#settings, "GET /api/v1/sub-keys", { query: { limit: 200, cursor } }, options)
  }

  /** One of the sub-keys, by its `sub_key_id`. */
  subKey(id: string, options: CallOptions = {}): Promise<Answered<SubKey>> {
    return call(this.#settings, "GET /api/v1/sub-keys/{sub_key_id}", { path: pathOf(id) }, options)
  }

  /**
   * Creates a sub-key, whose secret is returned only once. It is not retried if the service may have created it
   * already: the name is then taken, and rotating that sub-key returns a secret.
   */
  createSubKey(subKey: SubKeyInput, options: CallOptions = {}): Promise<Answered<CreatedSubKey>> {
    return call(this.#settings, "POST /api/v1/sub-keys", { body: subKey }, options)
  }

  /** Renames a sub-key, or changes its limit; a `monthly_limit` of null removes the limit. */
  changeSubKey(id: string, change: SubKeyChange, options: CallOptions = {}): Promise<Answered<SubKey>> {
    return call(this.#settings, "PATCH /api/v1/sub-keys/{sub_key_id}", { path: pathOf(id), body: change }, options)
  }

  /** Revokes a sub-key for good. The response has no fields. */
  revokeSubKey(id: string, options: CallOptions = {}): Promise<Answered<object>> {
    return call(this.#settings, "DELETE /api/v1/sub-keys/{sub_key_id}", { path: pathOf(id) }, options)
  }

  /** Replaces the secret of a sub-key, as `rotateKey` does with that of the key. */
  rotateSubKey(id: string, rotation: Rotation = {}, options: CallOptions = {}): Promise<Answered<RotatedKey>> {
    return call(
      this.#settings,
      "POST /api/v1/sub-keys/{sub_key_id}/rotate",
      { path: pathOf(id), body: rotation },
      options
    )
  }
}
