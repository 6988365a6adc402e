import { InvalidInput, MalformedJson } from "../../input/InvalidInput.ts"
import { counted } from "../../text/Figures.ts"
import { accept, closing, requestRateOf, retryAfter } from "../ResponseHeaders.ts"
import {
  CrossSite,
  PayloadTooLarge,
  RateLimited,
  TooManyKeyRequests,
  TooManyWrongKeys,
  UnsupportedMediaType
} from "./HttpFailures.ts"
import { problem } from "./problem.ts"

/** How many errors the detail of a problem names; the member `errors` has all of them. */
const mostNamed = 5

/** Failures of what a request carries. */
export const requestProblems = {
  InvalidInput: problem(InvalidInput, {
    status: 400,
    code: "invalid_input",
    title: "Invalid input",
    retryable: false,
    detail: ({ errors }) =>
      `Correct the request: ${errors
        .slice(0, mostNamed)
        .map(({ message, pointer }) => `${pointer || "the body"} ${message}`)
        .join("; ")}${errors.length > mostNamed ? `; and ${errors.length - mostNamed} more` : ""}`,
    errors: ({ errors }) => errors,
    example: new InvalidInput({
      errors: [{ pointer: "/reply_rate", message: "must be at most 100", code: "out_of_range" }]
    })
  }),
  MalformedJson: problem(MalformedJson, {
    status: 400,
    code: "malformed_json",
    title: "Malformed JSON",
    retryable: false,
    detail: ({ reason }) => `The request body is not valid JSON. ${reason}.`,
    example: new MalformedJson({ reason: "JSON value expected but reached end of input at position 0" })
  }),
  CrossSite: problem(CrossSite, {
    status: 403,
    code: "cross_site",
    title: "Request from another site",
    retryable: false,
    detail: "A page on another site sent this request. Send it from a program, which sends no Origin header.",
    example: new CrossSite()
  }),
  PayloadTooLarge: problem(PayloadTooLarge, {
    status: 413,
    code: "payload_too_large",
    title: "Payload too large",
    retryable: false,
    detail: ({ limit }) => `The request body is larger than ${limit} KiB.`,
    headers: closing,
    example: new PayloadTooLarge({ limit: 16 })
  }),
  UnsupportedMediaType: problem(UnsupportedMediaType, {
    status: 415,
    code: "unsupported_media_type",
    title: "Unsupported media type",
    retryable: false,
    detail: ({ types }) =>
      types.length === 1
        ? "Send the body as UTF-8 JSON, uncompressed, with Content-Type: application/json."
        : `Send the body as UTF-8 JSON or CSV, uncompressed, with Content-Type: ${types.join(" or ")}.`,
    headers: ({ types }) => accept.of(types),
    example: new UnsupportedMediaType({ types: ["application/json"] })
  }),
  RateLimited: problem(RateLimited, {
    status: 429,
    code: "rate_limited",
    title: "Rate limited",
    retryable: true,
    detail: ({ retryAfter }) => `Too many requests. Try again in ${counted(retryAfter, "second")}.`,
    headers: (failure) => retryAfter.of(failure.retryAfter),
    example: new RateLimited({ retryAfter: 1200 })
  }),
  TooManyWrongKeys: problem(TooManyWrongKeys, {
    status: 429,
    code: "rate_limited",
    title: "Rate limited",
    retryable: true,
    detail: ({ retryAfter }) =>
      `Too many unknown keys came from your address. Check your key, and try again in ${counted(retryAfter, "second")}.`,
    headers: (failure) => retryAfter.of(failure.retryAfter),
    example: new TooManyWrongKeys({ retryAfter: 1 })
  }),
  TooManyKeyRequests: problem(TooManyKeyRequests, {
    status: 429,
    code: "rate_limited",
    title: "Rate limited",
    retryable: true,
    detail: ({ limit, retryAfter }) =>
      `This key may send ${counted(limit, "request")} a second. Try again in ${counted(retryAfter, "second")}.`,
    headers: ({ limit, retryAfter: seconds }) => ({ ...retryAfter.of(seconds), ...requestRateOf(limit, seconds) }),
    example: new TooManyKeyRequests({ limit: 1000, retryAfter: 1 })
  })
}
