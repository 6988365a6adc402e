import { Context, Effect, Layer, Option, Redacted, Result } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { PublicUrl } from "../../http/RequestState.ts"
import type { RateLimited } from "../../Limits.ts"
import type { ApiKey } from "../../keys/ApiKey.ts"
import { TokenLimits } from "../../keys/TokenLimitsHttp.ts"
import { sessionLifetime, Sessions } from "./Sessions.ts"

type Response = HttpServerResponse.HttpServerResponse

/** A session of a browser with its key. */
export interface SignedIn {
  readonly key: ApiKey
  readonly token: Redacted.Redacted
}

const isFound = (result: Result.Result<Option.Option<ApiKey>>) =>
  Result.isSuccess(result) && Option.isSome(result.success)

/**
 * The cookie with the token of a session, which no script reads and no other site's page can send; under https it is
 * never sent over plain HTTP, and only this host can set it.
 */
export class SessionCookie extends Context.Service<
  SessionCookie,
  {
    readonly tokenIn: (request: HttpServerRequest.HttpServerRequest) => Redacted.Redacted | undefined
    /** The session of the current request, with its key. Fails if its client has sent too many unknown tokens. */
    readonly session: Effect.Effect<Option.Option<SignedIn>, RateLimited, HttpServerRequest.HttpServerRequest>
    readonly signIn: (response: Response, token: Redacted.Redacted) => Response
    readonly signOut: (response: Response) => Response
  }
>()("outreach-forecast/account/SessionCookie") {
  static readonly layer = Layer.effect(
    SessionCookie,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const tokenLimits = yield* TokenLimits
      const isSecure = (yield* PublicUrl).startsWith("https:")
      const name = isSecure ? "__Host-session" : "session"
      const options = { httpOnly: true, sameSite: "strict", secure: isSecure, path: "/" } as const

      const tokenIn = ({ cookies }: HttpServerRequest.HttpServerRequest) => {
        const token = cookies[name]
        return token === undefined || token === "" ? undefined : Redacted.make(token)
      }

      return SessionCookie.of({
        tokenIn,
        session: Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
          const token = tokenIn(request)
          if (token === undefined) return Effect.succeedNone
          return Effect.map(
            tokenLimits.admit(token, sessions.find(token), isFound),
            Option.map((key) => ({ key, token }))
          )
        }),
        signIn: (response, token) =>
          HttpServerResponse.setCookieUnsafe(response, name, Redacted.value(token), {
            ...options,
            maxAge: sessionLifetime
          }),
        signOut: (response) => HttpServerResponse.setCookieUnsafe(response, name, "", { ...options, maxAge: 0 })
      })
    })
  )
}
