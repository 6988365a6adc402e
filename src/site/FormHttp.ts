import { Effect, type Result } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { InvalidInput } from "../input/InvalidInput.ts"
import { readForm } from "../http/RequestBody.ts"
import { senderOf } from "../http/senderOf.ts"
import type { RateLimited } from "../http/problems/HttpFailures.ts"
import { problemPage, tooManyPage } from "./ErrorPages.ts"
import { addressAsTyped, suggestedField, type FormState } from "./form.ts"
import { suggestedAddress } from "./suggestedAddress.ts"

type Response = HttpServerResponse.HttpServerResponse

/** The values of a form's fields. */
export type FormValues = Readonly<Record<string, string>>

/**
 * Answers the form of a page with pages: `submit` carries out what `decode` reads, `page` shows the form again with its
 * errors, and `decoy` is the message for bots, which fill in a field that people do not see. If an email address looks
 * mistyped, the page asks about it first.
 */
export const answerForm = Effect.fnUntraced(function* <A, R>(
  request: HttpServerRequest.HttpServerRequest,
  options: {
    readonly publicUrl: string
    readonly fields: ReadonlyArray<string>
    readonly decode: (values: FormValues) => Result.Result<A, InvalidInput>
    readonly submit: (decoded: A, values: FormValues) => Effect.Effect<Response, InvalidInput | RateLimited, R>
    readonly page: (state: FormState, status: number) => Response
    readonly decoy: (values: FormValues) => Response
  }
) {
  // These forms need no cookie: they only request an email or an order.
  if (senderOf(request, options.publicUrl) === "elsewhere") {
    return problemPage("This form came from another site", "Open the form here and send it again.", 403)
  }
  const form = yield* readForm(request)
  const typed: FormValues = Object.fromEntries(options.fields.map((name) => [name, (form[name] ?? "").trim()]))
  const { email = "" } = typed
  const isAskedBefore = email === form[addressAsTyped]
  const chosen = isAskedBefore ? (form[suggestedField] ?? "") : ""
  const values = chosen === "" ? typed : { ...typed, email: chosen }
  const suggestion = suggestedAddress(values["email"] ?? "")
  const state = (errors: FormState["errors"]): FormState => ({ values, errors, ...(suggestion && { suggestion }) })
  if ((form["website"] ?? "") !== "") return options.decoy(values)
  return yield* Effect.fromResult(options.decode(values)).pipe(
    Effect.flatMap((decoded) =>
      suggestion === undefined || isAskedBefore
        ? options.submit(decoded, values)
        : Effect.succeed(options.page(state([]), 400))
    ),
    Effect.catchTags({
      InvalidInput: ({ errors }) => Effect.succeed(options.page(state(errors), 400)),
      // Rendering the form would cost more than answering its request.
      RateLimited: tooManyPage
    })
  )
})
