import { Context } from "effect"
import type { Balance } from "../Balance.ts"
import type { ProblemDocument } from "./problems/ProblemDocument.ts"

/**
 * What is known of the request that is being answered. The fields that are not read-only are filled in on the way, for
 * the headers and the log line of the answer.
 */
export interface RequestState {
  /** The caller's X-Request-Id if it has the right form, else a new one. */
  readonly id: string
  /** Base of the links in problems, without a trailing slash. */
  readonly publicUrl: string
  /** The route's template: the path itself may hold a secret. */
  route: string | undefined
  keyPrefix: string | undefined
  balance: Balance | undefined
  /** The ledger reference of the credit that was taken. */
  charge: string | undefined
  /** The problem that it was refused with. */
  problem: ProblemDocument | undefined
}

/** The initial state of a request. */
export const newRequest = (id: string, publicUrl: string): RequestState => ({
  id,
  publicUrl,
  route: undefined,
  keyPrefix: undefined,
  balance: undefined,
  charge: undefined,
  problem: undefined
})

/** The state of the current request; outside a request, an empty state that is never read. */
export const CurrentRequest = Context.Reference<RequestState>("outreach-forecast/http/CurrentRequest", {
  defaultValue: () => newRequest("", "")
})
