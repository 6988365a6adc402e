import { allow } from "../ResponseHeaders.ts"
import { HeadersTooLarge, MalformedRequest, MethodNotAllowed, NotFound, RequestTimeout } from "./HttpFailures.ts"
import { problem } from "./problem.ts"

/** What any request may be refused with before it reaches an endpoint. */
export const refusalProblems = {
  MalformedRequest: problem(MalformedRequest, {
    status: 400,
    code: "malformed_request",
    title: "Malformed request",
    retryable: false,
    detail: "The message is not a readable HTTP/1.1 request.",
    example: new MalformedRequest()
  }),
  NotFound: problem(NotFound, {
    status: 404,
    code: "not_found",
    title: "Not found",
    retryable: false,
    detail: "Nothing is at this path. GET /openapi.json lists what there is.",
    example: new NotFound()
  }),
  MethodNotAllowed: problem(MethodNotAllowed, {
    status: 405,
    code: "method_not_allowed",
    title: "Method not allowed",
    retryable: false,
    detail: ({ allowed }) => `This path takes ${allowed.join(", ")} only.`,
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
