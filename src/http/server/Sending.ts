import type { IncomingMessage, ServerResponse } from "node:http"
import type { HttpServerResponse } from "effect/http"
import { wantsPage } from "../mediaTypes.ts"
import type { ProblemDocument } from "../problems/ProblemDocument.ts"
import { type HttpFailure, toProblem } from "../problems/HttpProblems.ts"
import type { ProblemAnswer } from "../problems/problem.ts"
import { answerHeaders, type HeaderFields, pageHeaders } from "../ResponseHeaders.ts"
import type { RequestState } from "../RequestState.ts"

/** Renders a problem as a page, which a browser gets instead of the problem document. */
export type ErrorPage = (problem: ProblemDocument) => HttpServerResponse.HttpServerResponse

/** The destination of a response, on Node's own objects. */
export interface Reply {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly state: RequestState
  /** True if the connection closes after it. */
  readonly isLast: () => boolean
  /** Renders a problem as a page. */
  readonly errorPage: ErrorPage
}

/** A request that is being answered. */
export interface ActiveRequest extends Reply {
  /**
   * Keeps the request in flight until `release`, even if its client disconnects; the log line is written afterwards.
   */
  readonly hold: () => void
  readonly release: () => void
}

/** Answers with text. */
export const sendText = (
  { isLast, response, state }: Reply,
  status: number,
  contentType: string,
  text: string,
  headers: HeaderFields
): void => {
  response.writeHead(status, {
    "content-type": contentType,
    "content-length": Buffer.byteLength(text),
    ...answerHeaders(state, isLast()),
    ...headers
  })
  response.end(text)
}

/** Answers with a problem as a page. */
const sendPage = (reply: Reply, document: ProblemDocument, headers: HeaderFields): void => {
  const page = reply.errorPage(document)
  const text = page.body._tag === "Uint8Array" ? Buffer.from(page.body.body).toString() : ""
  sendText(reply, page.status, "text/html; charset=utf-8", text, {
    ...page.headers,
    ...pageHeaders(reply.state),
    ...headers
  })
}

/** Answers with a problem document, or with a page in a browser, and adds headers. */
export const sendAnswer = (
  reply: Reply,
  { body, contentType, headers: own, status }: ProblemAnswer,
  added: HeaderFields = {}
): void => {
  const headers = { ...own, ...added }
  reply.state.problem = body
  if (wantsPage(reply.request.headers)) sendPage(reply, body, headers)
  else sendText(reply, status, contentType, JSON.stringify(body), headers)
}

/** Answers with the problem of a failure of HTTP itself. */
export const sendProblem = (reply: Reply, failure: HttpFailure): void =>
  sendAnswer(reply, toProblem(failure, reply.state))
