import { Cause, Effect, Schema } from "effect"
import { problemFields } from "./ProblemDocument.ts"
import { problemsOf, problem } from "./problem.ts"
import { HttpServerError } from "effect/http"
import { FaultLog } from "../../database/Failures.ts"
import {
  Internal,
  MalformedRequest,
  Unavailable,
  TooManyConnections,
  HeadersTooLarge,
  MethodNotAllowed,
  NotFound,
  RequestTimeout,
  CrossSite,
  PayloadTooLarge,
  UnsupportedMediaType
} from "./HttpFailures.ts"
import { retryAfter, allow, accept, closing } from "../ResponseHeaders.ts"
import { Overloaded, RateLimited } from "../../Limits.ts"
import { InvalidInput, MalformedJson } from "../../input/InvalidInput.ts"
import { counted, integer } from "../../text/Figures.ts"

/** The most errors in the detail of a problem; the member `errors` has all of them. */
const maxNamed = 5

/** The errors as they are reported: the last one says how many more there are. */
const reportedErrors = ({ errors, more = 0 }: InvalidInput) =>
  errors.map((error, index) =>
    more > 0 && index === errors.length - 1
      ? { ...error, message: `${error.message} (and up to ${integer(more)} more errors)` }
      : error
  )

/** The problems with the content of a request. */
const requestProblems = {
  InvalidInput: problem(InvalidInput, {
    status: 400,
    code: "invalid_input",
    title: "Invalid input",
    detail: ({ errors, more = 0 }) =>
      `Correct the request: ${errors
        .slice(0, maxNamed)
        .map(({ message, pointer }) => `${pointer || "the body"} ${message}`)
        .join("; ")}${errors.length > maxNamed ? `; and ${integer(errors.length - maxNamed + more)} more` : ""}`,
    errors: reportedErrors,
    explanation: {
      when: "The body is JSON, but not what the endpoint expects; or a query parameter or the `Idempotency-Key` has the wrong form.",
      why: "A field is missing, of the wrong type, out of bounds, unknown, or given twice, in one spelling or in two; a number has more than 40 decimal places; or a text has half a surrogate pair. Unknown fields are refused rather than ignored: a misspelled optional field would otherwise cost a credit and give a wrong forecast.",
      whatToDo:
        "Correct what `errors` lists; it lists everything that is wrong with the body at once, up to 50 errors, the last of which says how many more there may be. `pointer` names the field (a JSON Pointer, empty for the body as a whole), `message` says what it must be, and its `code` is one of `required`, `wrong_type`, `out_of_range`, `not_an_integer`, `invalid_format`, `unknown_field` and `duplicate_field`.",
      remedy: "correct the request"
    },
    example: new InvalidInput({
      errors: [{ pointer: "/reply_rate", message: "must be at most 100", code: "out_of_range" }]
    })
  }),
  MalformedJson: problem(MalformedJson, {
    status: 400,
    code: "malformed_json",
    title: "Malformed JSON",
    detail: ({ reason }) => `The request body is not valid JSON. ${reason}.`,
    explanation: {
      when: "The body is not valid JSON.",
      why: "It is empty, was cut off, is not in UTF-8, or breaks the rules of JSON: single quotes, a trailing comma, `NaN`. A byte order mark before it is skipped. `message` says where it stops being JSON.",
      whatToDo: "Write the body with a JSON library rather than by hand. In a shell, put it in single quotes.",
      remedy: "correct the request"
    },
    example: new MalformedJson({ reason: "JSON value expected but reached end of input at position 0" })
  }),
  CrossSite: problem(CrossSite, {
    status: 403,
    code: "cross_site",
    title: "Request from another site",
    detail: "A page on another site sent this request. Send it from a program, which sends no Origin header.",
    explanation: {
      when: "`POST /mcp` has an `Origin` header that is not the service's own address.",
      why: "Agents don't send one; a browser sends one for the page that makes the request, and pages on other sites are not allowed to call this endpoint.",
      whatToDo: "Call it from a program, not from a page.",
      remedy: "call `POST /mcp` from a program, not from a page"
    },
    example: new CrossSite()
  }),
  PayloadTooLarge: problem(PayloadTooLarge, {
    status: 413,
    code: "payload_too_large",
    title: "Payload too large",
    detail: ({ limit }) => `The request body is larger than ${limit} KiB.`,
    headers: closing,
    explanation: {
      when: "The body is larger than 16 KiB, than 64 KiB where a history is allowed, or than 1 MiB for [many campaigns](clients.md#many-campaigns-at-once). The connection is closed.",
      why: "A request is one small JSON object, or up to 1,000 of them.",
      whatToDo: "Send fewer campaigns per request, or just one.",
      remedy: "send less, faster, or as JSON"
    },
    example: new PayloadTooLarge({ limit: 16 })
  }),
  UnsupportedMediaType: problem(UnsupportedMediaType, {
    status: 415,
    code: "unsupported_media_type",
    title: "Unsupported media type",
    detail: ({ types }) =>
      types.length === 1
        ? "Send the body as UTF-8 JSON, uncompressed, with Content-Type: application/json."
        : `Send the body as UTF-8 JSON or CSV, uncompressed, with Content-Type: ${types.join(" or ")}.`,
    headers: ({ types }) => accept.of(types),
    explanation: {
      when: "The body is not declared as plain JSON, or as CSV where that is accepted.",
      why: "`Content-Type` is missing, is neither `application/json` nor, for many campaigns, `text/csv`, names a charset other than UTF-8, or the body is compressed.",
      whatToDo: "Send the `Content-Type` given in the response's `Accept` header, and no `Content-Encoding`.",
      remedy: "send less, faster, or as JSON"
    },
    example: new UnsupportedMediaType({ types: ["application/json"] })
  }),
  RateLimited: problem(RateLimited, {
    status: 429,
    code: "rate_limited",
    title: "Rate limited",
    retryable: true,
    detail: ({ retryAfter }) => `Too many requests. Try again in ${counted(retryAfter, "second")}.`,
    headers: (failure) => retryAfter.of(failure.retryAfter),
    explanation: {
      when: 'Within an hour, too many access requests or orders without a key came from one network, for one address or in all. Or one key was rotated, one sub-key changed, or one link that shows a key used too often within an hour. Or one client sent too many unknown keys, or tokens of links and sessions, within a minute, and many of its requests are already waiting for theirs to be looked up. Or one key sent too many requests within a second: then the item `"requests"` of `RateLimit-Policy` says how many are allowed, and `RateLimit` when more are, instead of how many credits are left.',
      why: "Requests for access and orders send emails to people without needing a key. Each rotation creates one more working key. Somebody guessing keys, or a runaway program, must not deny the service to others. Someone else at your address may have sent the wrong keys; a key that worked before keeps working, and any other valid key waits its turn.",
      whatToDo:
        "Wait for the number of seconds in `Retry-After`. If `message` mentions unknown keys, check your key. The limits of keys and of unknown keys are settings of the operator.",
      remedy: "wait as long as `Retry-After` says"
    },
    example: new RateLimited({ retryAfter: 1200 })
  })
}

const allOf = new Intl.ListFormat("en-GB")

/** The refusals of any request before it reaches an endpoint. */
export const refusalProblems = {
  MalformedRequest: problem(MalformedRequest, {
    status: 400,
    code: "malformed_request",
    title: "Malformed request",
    detail: "The request is not valid HTTP/1.1.",
    explanation: {
      when: "What arrived is not a readable HTTP/1.1 request. The connection is closed, unless only `Host` is wrong.",
      why: "The framing is broken, a header has a forbidden character, or there is not exactly one `Host`.",
      whatToDo: "Use an HTTP library. If you already do, check the proxies between you and the service.",
      remedy: "correct the request"
    },
    example: new MalformedRequest()
  }),
  NotFound: problem(NotFound, {
    status: 404,
    code: "not_found",
    title: "Not found",
    detail: "There is nothing at this path. GET /openapi.json lists every endpoint.",
    explanation: {
      when: "There is nothing at this path.",
      why: "The path is misspelled.",
      whatToDo: "Compare it with `/openapi.json`, which lists every endpoint of the API.",
      remedy: "correct the path or the method; `Allow` lists the methods"
    },
    example: new NotFound()
  }),
  MethodNotAllowed: problem(MethodNotAllowed, {
    status: 405,
    code: "method_not_allowed",
    title: "Method not allowed",
    detail: ({ allowed }) => `This path accepts only ${allOf.format(allowed)}.`,
    headers: ({ allowed }) => allow.of(allowed),
    explanation: {
      when: "The path exists, but not with this method.",
      why: "Forecasts are requested with POST; a redirect or a browser's address bar turns that into a GET.",
      whatToDo: "Use a method that the header `Allow` lists.",
      remedy: "correct the path or the method; `Allow` lists the methods"
    },
    example: new MethodNotAllowed({ allowed: ["POST", "OPTIONS"] })
  }),
  RequestTimeout: problem(RequestTimeout, {
    status: 408,
    code: "request_timeout",
    title: "Request timeout",
    retryable: true,
    detail: "The request did not arrive in time. Send it again.",
    explanation: {
      when: "The headers took longer than 10 seconds to arrive, or the whole request longer than 15. The connection is closed.",
      why: "The network is slow, or the body is shorter than `Content-Length` says.",
      whatToDo: "Send it again. If it keeps happening, check how the body is sent.",
      remedy: "send less, faster, or as JSON"
    },
    example: new RequestTimeout()
  }),
  HeadersTooLarge: problem(HeadersTooLarge, {
    status: 431,
    code: "headers_too_large",
    title: "Request headers too large",
    detail: "The request headers are larger than 16 KiB.",
    explanation: {
      when: "The headers of the request are larger than 16 KiB. The connection is closed.",
      why: "Usually another application's cookies, or a proxy that adds headers.",
      whatToDo: "Send only the headers that the request needs, and no cookies.",
      remedy: "send less, faster, or as JSON"
    },
    example: new HeadersTooLarge()
  })
}

/** The problems of the service itself. */
export const serviceProblems = {
  Internal: problem(Internal, {
    status: 500,
    code: "internal",
    title: "Internal error",
    retryable: true,
    detail: "The service failed to answer. Try again; if it keeps happening, tell the operator the request ID.",
    explanation: {
      when: "The service failed to answer.",
      why: "There is a bug in the service. The details are in its log, with the request ID, and not in the response.",
      whatToDo:
        "Try again, with the same `Idempotency-Key` if the request had one. If it keeps happening, give the operator the `request_id`.",
      remedy: "try again later; 503 says when in `Retry-After`"
    },
    example: new Internal()
  }),
  Unavailable: problem(Unavailable, {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: "The service cannot answer right now. Try again in a moment.",
    headers: retryAfter.of(1),
    explanation: {
      when: "The service cannot answer right now.",
      why: "Its database cannot be reached, more requests are waiting than it can answer in time, it is shutting down, or the payment provider cannot be reached. No credit is taken, with two exceptions where it is impossible to know: the connection to the database was lost at the very moment of a commit, or a load balancer lost the response and returned 502 with this code.",
      whatToDo:
        "Send the same request again after the number of seconds in `Retry-After`, with the same `Idempotency-Key`: then it costs at most one credit, whatever happened.",
      remedy: "try again later; 503 says when in `Retry-After`"
    },
    example: new Unavailable()
  }),
  Overloaded: problem(Overloaded, {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: "Too many requests are waiting. Try again in a moment.",
    headers: retryAfter.of(1),
    example: new Overloaded()
  }),
  TooManyConnections: problem(TooManyConnections, {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: "Too many connections are open. Try again in a moment.",
    headers: retryAfter.of(1),
    example: new TooManyConnections()
  })
}

/** The problems of HTTP itself, for any request. */
export const HttpProblem = { ...requestProblems, ...serviceProblems, ...refusalProblems }

/** The failures that any endpoint may have. */
export const serverFailures = [HttpProblem.Internal, HttpProblem.Unavailable] as const

/** The failures of an endpoint that reads a body. */
export const bodyFailures = [
  HttpProblem.InvalidInput,
  HttpProblem.MalformedJson,
  HttpProblem.PayloadTooLarge,
  HttpProblem.UnsupportedMediaType
] as const

export type HttpFailure = (typeof HttpProblem)[keyof typeof HttpProblem]["Type"]

export const { toProblem, toResponse } = problemsOf<HttpFailure>(HttpProblem)

const refusals = Object.values(refusalProblems)

/** Any refusal. Its codes are distinct, so that the code of a problem determines its other members. */
export const AnyRefusal = Schema.Struct(
  problemFields(
    Schema.Literals([...new Set(refusals.map(({ status }) => status))]).annotate({ title: "RefusalStatus" }),
    Schema.Literals([...new Set(refusals.map(({ code }) => code))]).annotate({ title: "RefusalCode" })
  )
).annotate({
  identifier: "RefusalProblem",
  description: "A refusal of a request before it reaches an endpoint.",
  examples: [HttpProblem.NotFound.example.body]
})

/** Maps an unexpected cause to a failure. Bugs are logged here, faults of the database in the FaultLog. */
export const failureOf = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>): Effect.fn.Return<HttpFailure> {
  const error = Cause.squash(cause)
  const { explain, note } = yield* FaultLog
  const unavailable = yield* explain(error)
  if (unavailable !== undefined) {
    yield* note(unavailable)
    return new Unavailable()
  }
  if (Cause.hasInterruptsOnly(cause)) return new Unavailable()
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RequestParseError") {
    return new MalformedRequest()
  }
  yield* Effect.logError("The service failed to answer", cause)
  return new Internal()
})
