import { InvalidInput, MalformedJson } from "../../input/InvalidInput.ts"
import { counted } from "../../text/Figures.ts"
import { accept, closing, retryAfter } from "../ResponseHeaders.ts"
import { CrossSite, PayloadTooLarge, UnsupportedMediaType } from "./HttpFailures.ts"
import { problem } from "./problem.ts"
import { RateLimited } from "../../Limits.ts"

/** The most errors in the detail of a problem; the member `errors` has all of them. */
const maxNamed = 5

/** The problems with the content of a request. */
export const requestProblems = {
  InvalidInput: problem(InvalidInput, {
    status: 400,
    code: "invalid_input",
    title: "Invalid input",
    detail: ({ errors }) =>
      `Correct the request: ${errors
        .slice(0, maxNamed)
        .map(({ message, pointer }) => `${pointer || "the body"} ${message}`)
        .join("; ")}${errors.length > maxNamed ? `; and ${errors.length - maxNamed} more` : ""}`,
    errors: ({ errors }) => errors,
    explanation: {
      when: "The body is JSON, but not what the endpoint expects; or a query parameter or the `Idempotency-Key` has the wrong form.",
      why: "A field is missing, of the wrong type, out of bounds, unknown, or given twice, in one spelling or in two; a number has more than 40 decimal places; or a text has half a surrogate pair. Unknown fields are refused rather than ignored: a misspelled optional field would otherwise cost a credit and give a wrong forecast.",
      whatToDo:
        "Correct what `errors` lists; it lists everything that is wrong with the body at once, up to 50 errors. `pointer` names the field (a JSON Pointer, empty for the body as a whole), `message` says what it must be, and its `code` is one of `required`, `wrong_type`, `out_of_range`, `not_an_integer`, `invalid_format`, `unknown_field` and `duplicate_field`.",
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
      when: 'Too many access requests or orders without a key came from one client or for one address, one key was rotated or one sub-key changed too often, or one link that shows a key was used too often, within an hour. Or one client sent too many unknown keys, or tokens of links and sessions, within a minute, and many of its requests are already waiting for theirs to be looked up. Or one key sent too many requests within a second: then the item `"requests"` of `RateLimit-Policy` says how many are allowed, and `RateLimit` when more are, instead of how many credits are left.',
      why: "Requests for access and orders send emails to people without needing a key. Each rotation creates one more working key. Somebody guessing keys, or a runaway program, must not deny the service to others. Someone else at your address may have sent the wrong keys; a key that worked before keeps working, and any other valid key waits its turn.",
      whatToDo:
        "Wait for the number of seconds in `Retry-After`. If `message` mentions unknown keys, check your key. The limits of keys and of unknown keys are settings of the operator.",
      remedy: "wait as long as `Retry-After` says"
    },
    example: new RateLimited({ retryAfter: 1200 })
  })
}
