import { Effect, Schema } from "effect"
import { InvalidInput } from "../../input/InvalidInput.ts"
import { noticePage } from "../../site/ErrorPages.ts"
import { fieldErrors, type FormState } from "../../site/form.ts"
import { html, type Html } from "../../text/html.ts"
import { showDate } from "../../text/Times.ts"

/** The form names a secret that has already been replaced: it was sent twice, or its page is old. */
export class SecretChanged extends Schema.TaggedError<SecretChanged>()("SecretChanged", { prefix: Schema.String }) {}

/** The label of the hours in errors. */
export const graceLabel = { grace_hours: "The time" } as const

/** The fields of a form that replaces the secret with this prefix: which one it is, and how long it still works. */
export const replacementFields = (prefix: string, state: FormState): Html => {
  const { attributes, text } = fieldErrors("grace_hours", graceLabel.grace_hours, state, "grace_hours-help")
  return html`<input type="hidden" name="key_prefix" value="${prefix}">
<label for="grace_hours">Hours for which the old secret still works</label>
<p class="help" id="grace_hours-help">0 to 72. Choose 0 if somebody else has seen it.</p>
<input class="short" id="grace_hours" name="grace_hours" inputmode="numeric" maxlength="4" required value="${state.values["grace_hours"] ?? "24"}"${attributes}>
${text}`
}

/** Says how long the old key or secret works. */
export const oldOneEnds = (what: "key" | "secret", hours: number, until: number): string =>
  hours === 0 ? `The old ${what} no longer works.` : `The old ${what} works until ${showDate(until)}.`

/** Fails if the replaced secret is not the one that the form names, which undoes the replacement. */
export const assertNamed = (
  { key_prefix: prefix }: FormState["values"],
  { oldPrefix }: { readonly oldPrefix: string }
) => (prefix === oldPrefix ? Effect.void : Effect.fail(new SecretChanged({ prefix: oldPrefix })))

/** The page for a form that would have replaced the new secret. `path` leads to a new form. */
export const secretChangedPage = ({ prefix }: SecretChanged, path: string) =>
  noticePage(
    "The secret has already been replaced",
    `It now starts with ${prefix}, and it was not replaced again. If you have stored it, there is nothing to do. If you have not seen it, replace it again: we cannot show it twice.`,
    409,
    { path, text: "Replace it again" }
  )

const wholeHours = /^(?:\d|[1-6]\d|7[0-2])$/

/** The number of hours that an old secret stays valid, from a form. */
export const graceHoursOf = ({ grace_hours: given = "" }: FormState["values"]): Effect.Effect<number, InvalidInput> =>
  wholeHours.test(given.trim())
    ? Effect.succeed(Number(given))
    : new InvalidInput({
        errors: [
          { pointer: "/grace_hours", code: "out_of_range", message: "must be a whole number of hours from 0 to 72" }
        ]
      })
