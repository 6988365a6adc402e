import { Data, Effect } from "effect"
import type { HttpServerError } from "effect/http"
import { explain } from "../../database/Failures.ts"

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
