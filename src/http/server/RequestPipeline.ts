import type { IncomingMessage, RequestListener } from "node:http"
import { Clock, Effect } from "effect"
import { shownPart } from "../../text/SafeText.ts"
import { refusals, requestDuration } from "../../observability/Metrics.ts"
import { RequestLog } from "../../observability/RequestLog.ts"
import { ClientAddress } from "../limits/ClientAddress.ts"
import { MalformedRequest, NotFound, Unavailable } from "../problems/HttpFailures.ts"
import { newRequest } from "../RequestState.ts"
import { Draining } from "./Draining.ts"
import { type ActiveRequest, type ErrorPage, sendProblem } from "./Sending.ts"
import { isCanonical } from "./RoutedRequests.ts"

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/

/** The client's request ID if it is well-formed, because it goes into headers and logs. */
const givenId = ({ headers }: IncomingMessage): string | undefined => {
  const given = headers["x-request-id"]
  return typeof given === "string" && requestIdForm.test(given) ? given : undefined
}

/** HTTP/1.1 requires exactly one Host: of two, a proxy in front might use a different one than this service. */
const hasOneHost = ({ httpVersion, rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0")
}

/**
 * The path of every request: it gets its ID, is counted while it is in flight, is refused if it cannot succeed and
 * otherwise answered by its route, and is logged once it is answered or its client has disconnected.
 */
export const makeRequestPipeline = Effect.fnUntraced(function* (options: {
  readonly publicUrl: string
  readonly newId: () => string
  /** Answers a request that may succeed. */
  readonly answer: (active: ActiveRequest) => void
  readonly errorPage: ErrorPage
}) {
  const { answer, errorPage, newId, publicUrl } = options
  const clock = yield* Clock.Clock
  const clients = yield* ClientAddress
  const draining = yield* Draining
  const log = yield* RequestLog

  const answerOrRefuse = (active: ActiveRequest) => {
    const { request } = active
    if (draining.isRefusing()) return sendProblem(active, new Unavailable())
    if (!hasOneHost(request)) return sendProblem(active, new MalformedRequest())
    if (!isCanonical(request.url ?? "")) return sendProblem(active, new NotFound())
    return answer(active)
  }

  const listener: RequestListener = (request, response) => {
    const startedAt = performance.now()
    const leave = draining.enter()
    const state = newRequest(givenId(request) ?? newId(), publicUrl)
    const isLast = () => draining.isDraining() || request.headers.upgrade !== undefined
    const end = () => {
      leave()
      const { problem, route } = state
      // Proxies log 499 for a client that disconnected.
      const status = response.writableFinished ? response.statusCode : 499
      const millis = performance.now() - startedAt
      requestDuration(millis / 1000, request.method ?? "", route ?? "", String(status))
      if (problem !== undefined) refusals(1, problem.code)
      const isRefused = status >= 400
      log({
        at: clock.currentTimeMillisUnsafe(),
        requestId: state.id,
        method: request.method,
        route,
        status,
        millis,
        key: state.keyPrefix ?? (isRefused ? shownPart(String(request.headers["x-api-key"] ?? "")) : undefined),
        isKeyFound: state.keyPrefix !== undefined,
        code: problem?.code,
        client: isRefused ? clients.logged(request) : undefined,
        charge: state.charge
      })
    }
    let isClosed = false
    let holders = 0
    response.once("close", () => {
      isClosed = true
      if (holders === 0) end()
    })
    const release = () => {
      holders--
      if (isClosed && holders === 0) end()
    }
    answerOrRefuse({ request, response, state, isLast, errorPage, hold: () => void holders++, release })
  }
  return listener
})
