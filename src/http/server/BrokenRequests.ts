import { type IncomingHttpHeaders, STATUS_CODES } from "node:http"
import { HeadersTooLarge, MalformedRequest, RequestTimeout } from "../problems/HttpFailures.ts"
import { type HttpFailure, toProblem } from "../problems/HttpProblems.ts"
import { newRequest } from "../RequestState.ts"
import { responseHeaders } from "../ResponseHeaders.ts"
import { type ErrorPage, shownAs } from "./RequestPipeline.ts"

/** The failure of a request that Node could not read, by the code of its error. */
export const failureByCode = (code: string | undefined) => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new HeadersTooLarge()
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new RequestTimeout()
    default:
      return new MalformedRequest()
  }
}

/** An error of Node's parser, with the data that it has read last. */
export interface ClientError {
  readonly code?: string
  readonly rawPacket?: Buffer
}

/** The headers in the part of a broken request that Node has read last, as far as they decide the form of the response. */
const headersIn = (packet: Buffer | undefined): IncomingHttpHeaders =>
  Object.fromEntries(
    [...(packet?.toString("latin1") ?? "").matchAll(/\r\n(accept|x-api-key):([^\r\n]*)(?=\r\n)/gi)].map(
      ([, name = "", value = ""]) => [name.toLowerCase(), value.trim()]
    )
  )

/** A broken request, and the texts that its response needs. */
interface Broken {
  readonly id: string
  readonly publicUrl: string
  readonly errorPage: ErrorPage
  /** The part of it that Node has read last. */
  readonly packet: Buffer | undefined
}

/** The HTTP/1.1 response to data that never became a request: a problem, after which the connection closes. */
export const rawAnswer = (failure: HttpFailure, { errorPage, id, packet, publicUrl }: Broken): string => {
  const state = newRequest(id, publicUrl)
  const problem = toProblem(failure, state)
  const { status } = problem
  const { contentType, headers, text } = shownAs({ request: { headers: headersIn(packet) }, state, errorPage }, problem)
  const fields = {
    "content-type": contentType,
    ...headers,
    ...responseHeaders(state, true),
    "content-length": Buffer.byteLength(text)
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${text}`
}
