import { Effect, Redacted, Result } from "effect"
import { HttpRouter } from "effect/http"
import { TokenLimits } from "../../keys/TokenLimitsHttp.ts"
import { Notices } from "./Notices.ts"
import { html } from "../../text/html.ts"
import { page } from "../../site/layout.ts"

/** `/unsubscribe/{token}`, before the button is pressed. The form posts to the page's own address. */
const unsubscribePage = (prefix: string) =>
  page(
    "Stop these emails",
    html`<h1>Stop these emails</h1>
<p class="lead">We email you when the credits of the key that starts with <code>${prefix}</code> run low, and when they are used
up. Without these emails, you notice only when a forecast is refused.</p>
<form method="post"><button type="submit">Stop these emails</button></form>
<p>You still get the emails about keys and orders that you request.</p>`
  )

/** The page after the button was pressed, now or before. */
const unsubscribedPage = (prefix: string) =>
  page(
    "These emails are off",
    html`<h1>These emails are off</h1>
<p class="lead">We no longer email you when the credits of the key that starts with <code>${prefix}</code> run out.</p>
<p>You can switch them on again on the page of <a href="/key#emails">your key</a>.</p>`
  )

/** The path contains a secret, and is never logged. */
const unsubscribePath = "/unsubscribe/:token"

const tokenOf = Effect.map(HttpRouter.params, ({ token = "" }) => Redacted.make(token))

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const notices = yield* Notices
    const tokenLimits = yield* TokenLimits

    const inspect = Effect.flatMap(tokenOf, (token) =>
      tokenLimits.admit(token, notices.inspect(token), Result.isSuccess)
    )

    yield* router.add(
      "GET",
      unsubscribePath,
      Effect.gen(function* () {
        const { isOn, key } = yield* inspect
        return isOn ? unsubscribePage(key.secretPrefix) : unsubscribedPage(key.secretPrefix)
      })
    )

    // Mail providers post here on the owner's behalf (RFC 8058): from anywhere, without a session. The body is ignored.
    yield* router.add(
      "POST",
      unsubscribePath,
      Effect.gen(function* () {
        const { key } = yield* inspect
        yield* notices.set(key.id, false)
        return unsubscribedPage(key.secretPrefix)
      })
    )
  })
)
