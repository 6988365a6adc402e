import { randomUUIDv7 } from "node:crypto"
import { Effect, Predicate, Schema } from "effect"
import type { HttpServerError } from "effect/http"
import { explain } from "../../database/Failures.ts"
import type { RequestListener } from "node:http"
import { Unavailable } from "../problems/HttpFailures.ts"
import { newRequest } from "../RequestState.ts"
import { type ErrorPage, pathOf, sendProblem, sendText } from "./RequestPipeline.ts"

const PortVariable = Schema.Literals(["PORT", "ADMIN_PORT"])
type PortVariable = typeof PortVariable.Type

const remedyFor = (code: unknown, port: PortVariable): string => {
  switch (code) {
    case "EADDRINUSE":
      return `Stop the process using it, or set ${port} to another port`
    case "EACCES":
      return `Ports below 1024 are for root: set ${port} to a higher one, with a proxy in front of it`
    default:
      return `Set ${port.replace("PORT", "HOST")} to an address of this machine: 127.0.0.1 for itself, 0.0.0.0 or :: for all networks`
  }
}

/** A configured address cannot be listened on; `variable` sets its port. */
export class PortUnusable extends Schema.TaggedError<PortUnusable>()("PortUnusable", {
  variable: PortVariable,
  cause: Schema.Defect()
}) {
  override get message() {
    const { cause, variable } = this
    const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
    return `The service cannot listen, and nothing was changed: ${explain(cause)}. ${remedyFor(code, variable)}`
  }
}

/** Adds the variable to change to the failure of a server that cannot listen. */
export const orPortUnusable = (variable: PortVariable) =>
  Effect.mapError(({ cause }: HttpServerError.ServeError) => new PortUnusable({ variable, cause }))

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
    if (pathOf(request.url ?? "") === "/livez")
      sendText(reply, 200, "application/json", JSON.stringify({ status: "ok" }), {})
    else sendProblem(reply, new Unavailable())
  }
