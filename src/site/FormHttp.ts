import levenshtein from "fastest-levenshtein"
import { Effect, type Result } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { InvalidInput } from "../input/InvalidInput.ts"
import { CrossSite } from "../http/problems/HttpFailures.ts"
import { HttpProblem } from "../http/problems/HttpProblems.ts"
import { problemsOf } from "../http/problems/problem.ts"
import type { ProblemResponse } from "../http/problems/ProblemDocument.ts"
import { readForm } from "../http/RequestBody.ts"
import { CurrentRequest, type RequestState } from "../http/RequestState.ts"
import { senderOf } from "../http/RequestHeaders.ts"
import { addressAsTyped, suggestedField, type FormState, type FormValues } from "./form.ts"

/** Large mail providers whose names are long enough to tell a typo from another name. */
const providers = [
  "gmail.com",
  "googlemail.com",
  "yahoo.com",
  "yahoo.co.uk",
  "hotmail.com",
  "hotmail.co.uk",
  "outlook.com",
  "icloud.com",
  "protonmail.com"
]

/** Other providers whose names look like a typo of one of these. */
const lookalikes: ReadonlySet<string> = new Set([
  "email.com",
  "gmx.com",
  "mail.com",
  "ymail.com",
  "yahoo.ca",
  "hotmail.ca"
])

/** The number of letters that may differ; transposed letters count as two. */
const maxChanges = 2

/** The address that was probably meant, if the host of the given one is almost that of a large mail provider. */
export const suggestedAddress = (address: string): string | undefined => {
  const at = address.lastIndexOf("@")
  const host = address.slice(at + 1).toLowerCase()
  if (at < 1 || lookalikes.has(host)) return undefined
  const nearest = levenshtein.closest(host, providers)
  const changes = levenshtein.distance(host, nearest)
  return changes > 0 && changes <= maxChanges ? `${address.slice(0, at)}@${nearest}` : undefined
}

type Response = HttpServerResponse.HttpServerResponse

/**
 * Creates the responses to forms whose failures have problems. `run` carries out what the values of a form ask for. If
 * it fails with one of these failures, `show` shows the form again: with the errors in its fields, or with the
 * problem's text, and with its status and headers. Other failures are shown by the error page.
 */
export const formResponses =
  <F>({
    isFailure,
    toProblem
  }: {
    readonly isFailure: (error: unknown) => error is F
    readonly toProblem: (failure: F, request: RequestState) => ProblemResponse
  }) =>
  <E, R, R2>(
    values: FormValues,
    run: Effect.Effect<Response, E | F, R>,
    show: (state: FormState, status: number) => Effect.Effect<Response, never, R2>
  ): Effect.Effect<Response, E, R | R2> =>
    Effect.catch(run, (failure) =>
      isFailure(failure)
        ? Effect.flatMap(CurrentRequest, (request) => {
            request.problem = toProblem(failure, request)
            const { body, headers, status } = request.problem
            const { detail, errors = [] } = body
            const state = errors.length > 0 ? { values, errors } : { values, errors, message: detail }
            return Effect.map(show(state, status), HttpServerResponse.setHeaders(headers))
          })
        : Effect.fail(failure)
    )

/** The values of the form in the current request. */
export const formValues = Effect.flatMap(HttpServerRequest.HttpServerRequest, readForm)

const withErrors = formResponses(problemsOf<InvalidInput>({ InvalidInput: HttpProblem.InvalidInput }))

/**
 * Responds to the form of a page with pages: `submit` carries out what `decode` reads, `page` shows the form again with
 * its errors, and `decoy` is the message for bots, which fill in a field that people do not see. If an email address
 * looks mistyped, the page asks about it first.
 */
export const respondToForm = Effect.fnUntraced(function* <A, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  options: {
    readonly publicUrl: string
    readonly fields: ReadonlyArray<string>
    readonly decode: (values: FormValues) => Result.Result<A, InvalidInput>
    readonly submit: (decoded: A, values: FormValues) => Effect.Effect<Response, E, R>
    readonly page: (state: FormState, status: number) => Response
    readonly decoy: (values: FormValues) => Response
  }
) {
  // These forms need no cookie: they only request an email or an order.
  if (senderOf(request, options.publicUrl) === "elsewhere") {
    return yield* new CrossSite()
  }
  const form = yield* readForm(request)
  const typed: FormValues = Object.fromEntries(options.fields.map((name) => [name, (form[name] ?? "").trim()]))
  const { email = "" } = typed
  const isAskedBefore = email === form[addressAsTyped]
  const chosen = isAskedBefore ? (form[suggestedField] ?? "") : ""
  const values = chosen === "" ? typed : { ...typed, email: chosen }
  const suggestion = suggestedAddress(values["email"] ?? "")
  const show = (state: FormState, status: number) =>
    Effect.succeed(options.page({ ...state, ...(suggestion && { suggestion }) }, status))
  if ((form["website"] ?? "") !== "") return options.decoy(values)
  const submitted = Effect.flatMap(Effect.fromResult(options.decode(values)), (decoded) =>
    suggestion === undefined || isAskedBefore ? options.submit(decoded, values) : show({ values, errors: [] }, 400)
  )
  return yield* withErrors(values, submitted, show)
})
