import { Effect, Schema } from "effect"
import { problemPage } from "../site/ErrorPages.ts"
import type { FormState } from "../site/form.ts"
import { html, type Html } from "../text/html.ts"

/** The secret is no longer the one that the form was about: it was sent twice, or its page is an old one. */
export class SecretChanged extends Schema.TaggedError<SecretChanged>()("SecretChanged", { prefix: Schema.String }) {}

/** The field that names the secret to replace, by the characters that the page shows. */
export const prefixField = (prefix: string): Html => html`<input type="hidden" name="key_prefix" value="${prefix}">`

/** Fails if the secret that was replaced is not the one that the form named; then it is not replaced. */
export const assertNamed = (
  { key_prefix: named }: FormState["values"],
  { oldPrefix }: { readonly oldPrefix: string }
) => (named === oldPrefix ? Effect.void : Effect.fail(new SecretChanged({ prefix: oldPrefix })))

/** The page for a form that would have replaced the new secret. `path` leads to a new form. */
export const secretChangedPage = ({ prefix }: SecretChanged, path: string) =>
  problemPage(
    "The secret was replaced before",
    `It starts with ${prefix} now, and it was not replaced again. If you have stored that one, there is nothing to do. If you have not seen it, replace it again: we cannot show it twice.`,
    409,
    { path, text: "Replace it again" }
  )
