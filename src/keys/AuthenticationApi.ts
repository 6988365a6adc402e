import { Context, type Option } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { ApiKey } from "./ApiKey.ts"
import { KeyProblem } from "./KeysProblems.ts"
import type { AuthenticatedKey } from "./Authenticator.ts"

/** The key of the current request; where sub-keys are allowed, also the key that its sub-key belongs to. */
export class CurrentKey extends Context.Service<CurrentKey, AuthenticatedKey>()("outreach-forecast/keys/CurrentKey") {}

/** The key of the current request where a key is optional. */
export class CallerKey extends Context.Service<CallerKey, Option.Option<ApiKey>>()(
  "outreach-forecast/keys/CallerKey"
) {}

/** The reasons to reject a key. */
const failures = [
  KeyProblem.InvalidKey,
  KeyProblem.KeyRevoked,
  KeyProblem.PlanInactive,
  KeyProblem.TooManyWrongKeys,
  KeyProblem.TooManyKeyRequests
] as const

const security = {
  apiKey: HttpApiSecurity.apiKey({ key: "x-api-key", in: "header" }).pipe(
    HttpApiSecurity.annotate(OpenApi.Description, "Your API key. Keep it out of code that runs in a browser.")
  )
}

/** Requires a usable key in the `x-api-key` header before anything else of a request is read. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentKey }>()(
  "outreach-forecast/keys/Authentication",
  { error: [KeyProblem.MissingKey, ...failures, KeyProblem.SubKeyRefused], security }
) {}

/** Like `Authentication`, but also accepts a sub-key. */
export class SubKeyAuthentication extends HttpApiMiddleware.Service<SubKeyAuthentication, { provides: CurrentKey }>()(
  "outreach-forecast/keys/SubKeyAuthentication",
  { error: [KeyProblem.MissingKey, ...failures], security }
) {}

/** Like `Authentication`, but also accepts a request without a key, or with an empty one. */
export class OptionalAuthentication extends HttpApiMiddleware.Service<
  OptionalAuthentication,
  { provides: CallerKey }
>()("outreach-forecast/keys/OptionalAuthentication", {
  error: [...failures, KeyProblem.SubKeyRefused]
}) {}
