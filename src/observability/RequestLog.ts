import { Context } from "effect"

/** A request that was answered, or whose client disconnected (499). Unknown values are left out of its line. */
export interface AnsweredRequest {
  /** Milliseconds UTC. */
  readonly at: number
  readonly requestId: string
  readonly method: string | undefined
  /** The route's template, never the path, which may contain a secret. */
  readonly route: string | undefined
  readonly status: number
  /** The duration in milliseconds. */
  readonly millis: number
  /** The first characters of the key; for a refused request, also of an unknown key. */
  readonly key: string | undefined
  /** True if the service found that key. */
  readonly isKeyFound: boolean
  /** The code of the problem of a refusal. */
  readonly code: string | undefined
  /** For a refused request: the network of its client, or a hash of it. */
  readonly client: string | undefined
  /** The reference of the charge in the ledger. */
  readonly charge: string | undefined
}

/**
 * Records the end of a request: writes its log line, and runs what other layers add. A logger would cost ten times as
 * much per request, so this is a plain function; it does nothing unless a log is configured.
 */
export const RequestLog = Context.Reference<(request: AnsweredRequest) => void>(
  "outreach-forecast/observability/RequestLog",
  {
    defaultValue: () => () => {}
  }
)
