import { Context } from "effect"

/** A request that was answered, or whose caller went away (499). What is not known is left out of its line. */
export interface AnsweredRequest {
  /** Milliseconds UTC. */
  readonly at: number
  readonly requestId: string
  readonly method: string | undefined
  /** The route's template, never the path: a path may hold a secret. */
  readonly route: string | undefined
  readonly status: number
  /** How long it took. */
  readonly millis: number
  /** The first characters of the key; of a refused request also of one that opens nothing. */
  readonly key: string | undefined
  /** True if the service found that key. */
  readonly isKeyFound: boolean
  /** The code of the problem that it was refused with. */
  readonly code: string | undefined
  /** Of a refused request: the network of its client, or a hash of it. */
  readonly client: string | undefined
  /** The reference of the charge in the ledger. */
  readonly charge: string | undefined
}

/**
 * Notes how a request ended: writes its log line, and whatever else a layer adds to it. A logger would cost ten times as
 * much for each, so it is a function that is called for nothing but its effect; it does nothing unless a log is configured.
 */
export const RequestLog = Context.Reference<(request: AnsweredRequest) => void>(
  "outreach-forecast/observability/RequestLog",
  {
    defaultValue: () => () => {}
  }
)
