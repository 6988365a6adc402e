import { allow } from "../ResponseHeaders.ts"
import { HeadersTooLarge, MalformedRequest, MethodNotAllowed, NotFound, RequestTimeout } from "./HttpFailures.ts"
import { problem } from "./problem.ts"

const allOf = new Intl.ListFormat("en-GB")

/** What any request may be refused with before it reaches an endpoint. */
export const refusalProblems = {
  MalformedRequest: problem(MalformedRequest, {
    status: 400,
    code: "malformed_request",
    title: "Malformed request",
    retryable: false,
    detail: "The request is not valid HTTP/1.1.",
    example: new MalformedRequest()
  }),
  NotFound: problem(NotFound, {
    status: 404,
    code: "not_found",
    title: "Not found",
    retryable: false,
    detail: "There is nothing at this path. GET /openapi.json lists every endpoint.",
    example: new NotFound()
  }),
  MethodNotAllowed: problem(MethodNotAllowed, {
    status: 405,
    code: "method_not_allowed",
    title: "Method not allowed",
    retryable: false,
    detail: ({ allowed }) => `This path accepts only ${allOf.format(allowed)}.`,
    headers: ({ allowed }) => allow.of(allowed),
    example: new MethodNotAllowed({ allowed: ["POST", "OPTIONS"] })
  }),
  RequestTimeout: problem(RequestTimeout, {
    status: 408,
    code: "request_timeout",
    title: "Request timeout",
    retryable: true,
    detail: "The request did not arrive in time. Send it again.",
    example: new RequestTimeout()
  }),
  HeadersTooLarge: problem(HeadersTooLarge, {
    status: 431,
    code: "headers_too_large",
    title: "Request headers too large",
    retryable: false,
    detail: "The request headers are larger than 16 KiB.",
    example: new HeadersTooLarge()
  })
}
