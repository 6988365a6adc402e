import { Context } from "effect"
import type { ProblemResponse } from "./problems/ProblemDocument.ts"

/** The base of links in responses and emails, without a trailing slash. */
export class PublicUrl extends Context.Service<PublicUrl, string>()("outreach-forecast/http/PublicUrl") {}

/**
 * The state of a request. Fields that are not read-only are filled in while it is answered, for the headers and the log
 * line of the response.
 */
export interface RequestState {
  /** The client's X-Request-Id if it is well-formed, otherwise a new one. */
  readonly id: string
  /** The base of links in problems, without a trailing slash. */
  readonly publicUrl: string
  /** The route's template: the path itself may contain a secret. */
  route: string | undefined
  keyPrefix: string | undefined
  /** The headers with the credits that its key has left, once they are known. */
  creditHeaders: Readonly<Record<string, string>> | undefined
  /** The ledger reference of the charge. */
  charge: string | undefined
  /** The problem of a refusal. */
  problem: ProblemResponse | undefined
}

/** Creates the state of a request. */
export const newRequest = (id: string, publicUrl: string): RequestState => ({
  id,
  publicUrl,
  route: undefined,
  keyPrefix: undefined,
  creditHeaders: undefined,
  charge: undefined,
  problem: undefined
})

/** The state of the current request; outside a request, an empty state that is never read. */
export const CurrentRequest = Context.Reference<RequestState>("outreach-forecast/http/CurrentRequest", {
  defaultValue: () => newRequest("", "")
})
