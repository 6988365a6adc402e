import { Result } from "effect"
import type { Answer, BatchHandler, Call } from "./BatchHandler.ts"
import type { Admitted } from "../../keys/KeyLimits.ts"
import type { Failure } from "../../Problems.ts"
import { deprecated } from "../ResponseHeaders.ts"
import { sendProblem } from "./sendFailure.ts"
import { type ActiveRequest, sendText } from "../server/Sending.ts"

/** An endpoint whose requests are answered together, and by whom. */
export interface BatchRoute {
  readonly handler: BatchHandler
  readonly endpoint: BatchHandler["endpoints"][number]
}

/** A request to such an endpoint. */
export interface BatchRequest extends ActiveRequest {
  readonly route: BatchRoute
}

/** A request that waits to be answered. */
export interface Waiting extends BatchRequest {
  readonly connection: object
  /** Whose share it is of what waits. */
  readonly share: string
  readonly admitted: Admitted
  /** The hash of the secret that it was sent with. */
  readonly hash: string
  readonly body: Call["body"]
}

export type Answered = Result.Result<Answer, Failure>

/** Writes the answer to a request, and notes what its headers and log line tell. */
export const write = (active: BatchRequest, answered: Answered): void => {
  const { route, state } = active
  const headers = route.endpoint.identifier === "legacyForecast" ? deprecated : {}
  if (Result.isFailure(answered)) {
    sendProblem(active, answered.failure, headers)
    return
  }
  const { balance, body, charge, headers: own } = answered.success
  state.balance = balance
  state.charge = charge
  sendText(active, 200, "application/json", body, { ...headers, ...own })
}
