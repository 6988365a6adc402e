import { STATUS_CODES } from "node:http"
import { type HttpFailure, toProblem } from "../problems/HttpProblems.ts"
import { newRequest } from "../RequestState.ts"
import { answerHeaders } from "../ResponseHeaders.ts"

/** The answer to what never became a request, as the bytes of HTTP/1.1: a problem document, after which the connection closes. */
export const rawProblem = (
  failure: HttpFailure,
  request: { readonly id: string; readonly publicUrl: string }
): string => {
  const state = newRequest(request.id, request.publicUrl)
  const { body, contentType, headers, status } = toProblem(failure, state)
  const text = JSON.stringify(body)
  const fields = {
    "content-type": contentType,
    ...headers,
    ...answerHeaders(state, true),
    "content-length": Buffer.byteLength(text)
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${text}`
}
