import { allow } from "../ResponseHeaders.ts"
import { HeadersTooLarge, MalformedRequest, MethodNotAllowed, NotFound, RequestTimeout } from "./HttpFailures.ts"
import { problem } from "./problem.ts"

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
