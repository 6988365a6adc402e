import { Context, type Option } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { ApiKey } from "./ApiKey.ts"
import { KeyProblem } from "./KeysProblems.ts"
import type { AuthenticatedKey } from "./usableKey.ts"

/** The key that the current request was sent with, or the key of its sub-key where sub-keys are let through. */
export class CurrentKey extends Context.Service<CurrentKey, AuthenticatedKey>()("outreach-forecast/keys/CurrentKey") {}

/** The key that the current request was sent with, where a key is optional. */
export class CallerKey extends Context.Service<CallerKey, Option.Option<ApiKey>>()(
  "outreach-forecast/keys/CallerKey"
) {}

/** Why a key that was sent is not accepted. */
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

/** Lets a request through that has a usable key in its `x-api-key` header; nothing else of it is read before. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentKey }>()(
  "outreach-forecast/keys/Authentication",
  { error: [KeyProblem.MissingKey, ...failures, KeyProblem.SubKeyRefused], security }
) {}

/** As `Authentication`, but also lets a request through that has a sub-key. */
export class SubKeyAuthentication extends HttpApiMiddleware.Service<SubKeyAuthentication, { provides: CurrentKey }>()(
  "outreach-forecast/keys/SubKeyAuthentication",
  { error: [KeyProblem.MissingKey, ...failures], security }
) {}

/** As `Authentication`, but also lets a request through that has no key, or an empty one. */
export class OptionalAuthentication extends HttpApiMiddleware.Service<
  OptionalAuthentication,
  { provides: CallerKey }
>()("outreach-forecast/keys/OptionalAuthentication", {
  error: [...failures, KeyProblem.SubKeyRefused]
}) {}
