import { Effect, Option, Redacted } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { PublicUrl } from "../../http/PublicUrl.ts"
import type { ApiKey } from "../ApiKey.ts"
import { sessionLifetime, Sessions } from "./Sessions.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * The cookie with the token of a session, which no script reads and no other site's page can send; under https it is
 * never sent over plain HTTP, and only this host can set it.
 */
export const makeSessionCookie = Effect.gen(function* () {
  const sessions = yield* Sessions
  const isSecure = (yield* PublicUrl).startsWith("https:")
  const name = isSecure ? "__Host-account" : "account"
  const options = { httpOnly: true, sameSite: "strict", secure: isSecure, path: "/" } as const

  const tokenIn = ({ cookies }: HttpServerRequest.HttpServerRequest) => {
    const token = cookies[name]
    return token === undefined || token === "" ? undefined : Redacted.make(token)
  }

  return {
    tokenIn,
    /** The key of a request's session. */
    keyIn: (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Option.Option<ApiKey>> => {
      const token = tokenIn(request)
      return token === undefined ? Effect.succeed(Option.none()) : sessions.find(token)
    },
    signIn: (response: Response, token: Redacted.Redacted) =>
      HttpServerResponse.setCookieUnsafe(response, name, Redacted.value(token), {
        ...options,
        maxAge: sessionLifetime
      }),
    signOut: (response: Response) => HttpServerResponse.setCookieUnsafe(response, name, "", { ...options, maxAge: 0 })
  }
})
