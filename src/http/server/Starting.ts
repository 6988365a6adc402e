import { randomUUIDv7 } from "node:crypto"
import { Data, Effect } from "effect"
import type { HttpServerError } from "effect/http"
import { explain } from "../../database/Failures.ts"
import type { RequestListener } from "node:http"
import { Unavailable } from "../problems/HttpFailures.ts"
import { newRequest } from "../RequestState.ts"
import { type ErrorPage, sendProblem, sendText } from "./RequestPipeline.ts"

/** A configured address cannot be listened on; `variable` sets its port. */
export class PortUnusable extends Data.TaggedError("PortUnusable")<{
  readonly variable: "PORT" | "ADMIN_PORT"
  readonly cause: HttpServerError.ServeError
}> {
  override get message() {
    return (
      `The service cannot listen, and nothing was changed: ${explain(this.cause)}. ` +
      `Stop the process using it, or set ${this.variable} to another port`
    )
  }
}

/** Adds the variable to change to the failure of a server that cannot listen. */
export const orPortUnusable = (variable: PortUnusable["variable"]) =>
  Effect.mapError((cause: HttpServerError.ServeError) => new PortUnusable({ variable, cause }))

/**
 * Answers while the service waits for its database or migrates it: it is alive, but cannot answer anything else yet.
 * Each connection ends with its response, so that the next request may go to another instance.
 */
export const makeWhileStarting =
  (options: { readonly publicUrl: string; readonly errorPage: ErrorPage }): RequestListener =>
  (request, response) => {
    const { errorPage, publicUrl } = options
    const state = newRequest(randomUUIDv7(), publicUrl)
    const reply = { request, response, state, isLast: () => true, errorPage }
    if (request.url === "/livez") sendText(reply, 200, "application/json", JSON.stringify({ status: "ok" }), {})
    else sendProblem(reply, new Unavailable())
  }
