import { html } from "../text/html.ts"
import { emptyForm, errorSummary, fieldErrors, type FormState, formTitle } from "../site/form.ts"
import { page } from "../site/layout.ts"

const label = "The API key"

/** `/account` before signing in: the form for the API key. The typed key is never shown again. */
export const signInPage = (state: FormState = emptyForm, status = 200, url?: string) => {
  const { attributes, text } = fieldErrors("api_key", label, state, "api_key-help")
  return page(
    formTitle("Your account", state),
    html`${errorSummary(state, { api_key: label })}
<h1>Your account</h1>
<p class="lead">See the usage and the remaining credits of your API key, buy credits, replace the key, or revoke it.</p>
<form method="post" action="/account" novalidate>
<label for="api_key">API key</label>
<p class="help" id="api_key-help">It starts with <code>ofk_</code>. You stay signed in for 30 minutes, in this browser only.</p>
<input id="api_key" name="api_key" type="password" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" required${attributes}>
${text}
<button type="submit">Sign in</button>
</form>
<p>No key yet, or lost it? <a href="/#access">We email you one</a>.</p>`,
    status,
    {
      section: "/account",
      description: "Sign in with your API key to see its credits and usage, buy credits, or replace the key.",
      ...(url === undefined ? {} : { url })
    }
  )
}
