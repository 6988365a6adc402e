import { Context, Effect, Layer, type Redacted, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { KeylessLimits } from "../http/KeylessLimits.ts"
import { Limits, type RateLimited } from "../Limits.ts"
import { AccessRequests, type Revealed } from "./AccessRequests.ts"
import { normalized, type Owner } from "./ApiKey.ts"
import type { LinkGone, LinkUnknown } from "./KeyFailures.ts"
import { mailboxOf } from "./Mailbox.ts"
import type { RevealLink } from "./RevealLinks.ts"
import { TokenLimits } from "./TokenLimitsHttp.ts"

/** The most emails with a link per address and hour, whether it is known or not. */
const mailsPerHour = 5

/** The most secrets that a link reveals in an hour: each is recorded. */
const revealsPerHour = 20

type Revealing<A> = Effect.Effect<A, LinkUnknown | LinkGone | RateLimited, HttpServerRequest.HttpServerRequest>

/** Gives access by links in emails, for the API and for forms, within the limits of clients, mailboxes and links. */
export class LinkAccess extends Context.Service<
  LinkAccess,
  {
    /** Requests an email with a link, and returns its address. */
    readonly request: (owner: Owner) => Effect.Effect<string, RateLimited, HttpServerRequest.HttpServerRequest>
    /** Looks up a link by its token, without revealing a secret. */
    readonly inspect: (token: Redacted.Redacted) => Revealing<RevealLink>
    /** Reveals a secret by the token of a link. */
    readonly reveal: (token: Redacted.Redacted) => Revealing<Revealed>
  }
>()("outreach-forecast/keys/LinkAccess") {
  static readonly layer = Layer.effect(
    LinkAccess,
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const keylessLimits = yield* KeylessLimits
      const limits = yield* Limits
      const tokenLimits = yield* TokenLimits

      const inspect = (token: Redacted.Redacted) =>
        tokenLimits.admit(
          token,
          accessRequests.inspect(token),
          (result) => Result.isSuccess(result) || result.failure._tag !== "LinkUnknown"
        )

      return LinkAccess.of({
        request: Effect.fnUntraced(function* (given) {
          const owner = normalized(given)
          yield* keylessLimits.mail(`address ${mailboxOf(owner.email)}`, mailsPerHour)
          yield* accessRequests.request(owner)
          return owner.email
        }),
        inspect,
        reveal: Effect.fnUntraced(function* (token) {
          const { id } = yield* inspect(token)
          yield* limits.count(`reveal ${id}`, revealsPerHour)
          return yield* accessRequests.reveal(token)
        })
      })
    })
  ).pipe(Layer.provide([KeylessLimits.layer, Limits.layer]))
}
