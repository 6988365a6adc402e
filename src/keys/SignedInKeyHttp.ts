import { Context, Effect, type Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { RateLimited } from "../Limits.ts"
import type { ApiKey } from "./ApiKey.ts"

/** The key with which the visitor of a page is signed in: none, unless an extension lets visitors sign in. */
export const SignedInKey = Context.Reference<
  Effect.Effect<Option.Option<ApiKey>, RateLimited, HttpServerRequest.HttpServerRequest>
>("outreach-forecast/keys/SignedInKey", { defaultValue: () => Effect.succeedNone })
