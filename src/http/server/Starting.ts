import { Data, Effect } from "effect"
import type { HttpServerError } from "effect/http"
import { explain } from "../../database/Failures.ts"
import type { RequestListener } from "node:http"
import { newId } from "../../Randomness.ts"
import { Unavailable } from "../problems/HttpFailures.ts"
import { newRequest } from "../RequestState.ts"
import { type ErrorPage, sendProblem, sendText } from "./Sending.ts"

/** Nothing can listen on an address that is configured; `variable` is the one with its port. */
export class PortUnusable extends Data.TaggedError("PortUnusable")<{
  readonly variable: "PORT" | "ADMIN_PORT"
  readonly cause: HttpServerError.ServeError
}> {
  override get message() {
    return (
      `The service cannot listen, and has changed nothing: ${explain(this.cause)}. ` +
      `End what listens there, or set ${this.variable} to another port`
    )
  }
}

/** Says of a server that cannot listen which variable to change. */
export const orPortUnusable = (variable: PortUnusable["variable"]) =>
  Effect.mapError((cause: HttpServerError.ServeError) => new PortUnusable({ variable, cause }))

/**
 * Answers while the service waits for its database, or brings it up to date: it is alive, and there is nothing else it can
 * answer yet. Each connection ends with its answer, so that the next request may go to another instance.
 */
export const makeWhileStarting =
  (options: { readonly publicUrl: string; readonly errorPage: ErrorPage }): RequestListener =>
  (request, response) => {
    const { errorPage, publicUrl } = options
    const state = newRequest(newId(), publicUrl)
    const reply = { request, response, state, isLast: () => true, errorPage }
    if (request.url === "/livez") sendText(reply, 200, "application/json", JSON.stringify({ status: "ok" }), {})
    else sendProblem(reply, new Unavailable())
  }
