import { html } from "../text/html.ts"
import { page } from "../site/layout.ts"

/** `/unsubscribe/{token}`, before the button is pressed. The form posts to the page's own address. */
export const unsubscribePage = (prefix: string) =>
  page(
    "Stop these emails",
    html`<h1>Stop these emails</h1>
<p class="lead">We email you when the credits of the key that starts with <code>${prefix}</code> run low, and when they are used
up. Without these emails, you notice only when a forecast is refused.</p>
<form method="post"><button type="submit">Stop these emails</button></form>
<p>You still get the emails about keys and orders that you request.</p>`
  )

/** The page after the button was pressed, now or before. */
export const unsubscribedPage = (prefix: string) =>
  page(
    "These emails are off",
    html`<h1>These emails are off</h1>
<p class="lead">We no longer email you when the credits of the key that starts with <code>${prefix}</code> run out.</p>
<p>You can switch them on again in <a href="/account#emails">your account</a>.</p>`
  )
