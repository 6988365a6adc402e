import type { IncomingMessage, ServerResponse } from "node:http"
import { Clock, Context, Effect, Fiber, Random } from "effect"
import type { HttpServerResponse } from "effect/http"
import { shownPart } from "../../text/SafeText.ts"
import { inSample, refusals, requestDuration, SampledShare } from "../../observability/Telemetry.ts"
import { RequestLog } from "../../observability/Logging.ts"
import { ClientAddress } from "../ClientAddress.ts"
import { MalformedRequest, NotFound, Unavailable } from "../problems/HttpFailures.ts"
import { newRequest, type RequestState, CurrentRequest } from "../RequestState.ts"
import { Draining } from "./Draining.ts"
import { wantsPage } from "../RequestHeaders.ts"
import type { ProblemDocument, ProblemResponse } from "../problems/ProblemDocument.ts"
import { type HttpFailure, toProblem, failureOf } from "../problems/HttpProblems.ts"
import { responseHeaders, type HeaderFields, pageHeaders } from "../ResponseHeaders.ts"
import type { HttpApiEndpoint } from "effect/http-api"
import { CurrentStanding, holdBack, noStanding, type Standing } from "../../Limits.ts"

/** Answers a request that has a standing with its server. */
export type Listener = (request: IncomingMessage, response: ServerResponse, standing?: Standing) => void

/** Renders a problem as a page, which a browser gets instead of the problem document. */
export type ErrorPage = (problem: ProblemDocument, headers: HeaderFields) => HttpServerResponse.HttpServerResponse

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
  readonly standing: Standing
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
    ...responseHeaders(state, isLast()),
    ...headers
  })
  response.end(text)
}

/** The response to a client for a problem: the problem document, or in a browser its page. */
export const shownAs = (
  {
    errorPage,
    request,
    state
  }: Pick<Reply, "errorPage" | "state"> & { readonly request: Pick<IncomingMessage, "headers"> },
  { body, contentType, headers }: ProblemResponse
): { readonly contentType: string; readonly text: string; readonly headers: HeaderFields } => {
  if (!wantsPage(request.headers)) return { contentType, text: JSON.stringify(body), headers }
  const page = errorPage(body, headers)
  return {
    contentType: "text/html; charset=utf-8",
    text: page.body._tag === "Uint8Array" ? Buffer.from(page.body.body).toString() : "",
    headers: { ...page.headers, ...pageHeaders(state), ...headers }
  }
}

/** Answers with a problem, and adds headers. */
const sendAnswer = (reply: Reply, answer: ProblemResponse, added: HeaderFields = {}): void => {
  reply.state.problem = answer
  const { contentType, headers, text } = shownAs(reply, answer)
  sendText(reply, answer.status, contentType, text, { ...headers, ...added })
}

/** Answers with the problem of a failure of HTTP itself. */
export const sendProblem = (reply: Reply, failure: HttpFailure): void =>
  sendAnswer(reply, toProblem(failure, reply.state))

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

const canonical = /^(?:https?:\/\/[^/?#]+)?\/(?:[\w.~-]+(?:\/[\w.~-]+)*|clients\/)?(?:\?|$)/

/**
 * True if a path is spelled as documented: no other case, no doubled slash, no trailing slash except in /clients/, no
 * parameters after a semicolon, and no escapes, which no path of the service needs. So a proxy's rule for a path covers
 * all of its spellings.
 */
const isCanonical = (url: string): boolean => canonical.test(url)

const origin = /^https?:\/\/[^/?#]+/

/** The path of a URL, without its query. */
export const pathOf = (url: string): string => {
  const local = url.startsWith("/") ? url : url.replace(origin, "")
  const end = local.indexOf("?")
  return end < 0 ? local : local.slice(0, end)
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

  const listener: Listener = (request, response, given = noStanding) => {
    const startedAt = performance.now()
    const leave = draining.enter()
    const state = newRequest(givenId(request) ?? newId(), publicUrl)
    const standing: Standing = {
      // Once it has been charged, a request is answered, whatever it waits for then.
      wait: () => (state.creditHeaders === undefined ? given.wait() : noStanding.wait()),
      refuse: given.refuse
    }
    const isLast = () => draining.isDraining() || request.headers.upgrade !== undefined
    const end = () => {
      leave()
      const { problem, route } = state
      // Proxies log 499 for a client that disconnected.
      const status = response.writableFinished ? response.statusCode : 499
      const millis = performance.now() - startedAt
      requestDuration(millis / 1000, request.method ?? "", route ?? "", String(status))
      if (problem !== undefined) refusals(1, problem.body.code)
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
        code: problem?.body.code,
        client: isRefused ? clients.logged(request) : undefined,
        charge: state.charge
      })
    }
    let isClosed = false
    let holders = 0
    response.on("close", () => {
      isClosed = true
      if (holders === 0) end()
    })
    const release = () => {
      holders--
      if (isClosed && holders === 0) end()
    }
    answerOrRefuse({ request, response, state, standing, isLast, errorPage, hold: () => void holders++, release })
  }
  return listener
})

/** The 200 of an endpoint: a JSON text, and headers other than those of every response. */
export interface DirectAnswer {
  readonly json: string
  readonly headers: HeaderFields
}

/** A request to a direct endpoint, and the ways to answer it. */
export interface Exchange<F> {
  readonly request: IncomingMessage
  readonly state: RequestState
  /** True if its answer has a span, which only a fiber has. */
  readonly isSampled: boolean
  /** Answers in a fiber, which is interrupted if the client disconnects. */
  readonly run: (answer: Effect.Effect<DirectAnswer, F>) => void
  /**
   * Keeps the request in flight until it is answered by one of the returned functions, or until `takeBack` returns true:
   * it is called if the client disconnects before.
   */
  readonly later: (takeBack: () => boolean) => Pick<Exchange<F>, "run"> & {
    readonly send: (answer: DirectAnswer) => void
  }
}

/** An endpoint that is answered without the router. */
interface DirectEndpoint<F> {
  readonly method: string
  readonly path: `/${string}`
  /** The headers of all its responses, including refusals. */
  readonly headers: HeaderFields
  /** True if the router has it too, for requests with a query and for HEAD. */
  readonly isRoutedToo: boolean
  readonly begin: (exchange: Exchange<F>) => void
}

/** Creates the direct endpoint for an endpoint of the API, which declares every failure. */
export const directEndpoint = <Endpoint extends HttpApiEndpoint.Top>(
  { method, path }: Endpoint,
  begin: DirectEndpoint<HttpApiEndpoint.Errors<Endpoint>>["begin"],
  { headers = {}, isRoutedToo = false }: Partial<Pick<DirectEndpoint<never>, "headers" | "isRoutedToo">> = {}
): DirectEndpoint<HttpApiEndpoint.Errors<Endpoint>> => ({
  method,
  path: `/${path.slice(1)}`,
  headers,
  isRoutedToo,
  begin
})

/** The direct endpoints, and the responses to their failures. */
export interface Direct<F, R> {
  readonly endpoints: Effect.Effect<ReadonlyArray<DirectEndpoint<F>>, never, R>
  readonly toProblem: (failure: F | HttpFailure, request: RequestState) => ProblemResponse
}

/**
 * Answers requests to direct endpoints, and leaves the others to the router. The router, its contexts and its responses
 * would take a third as much processor time as a forecast. The methods of the endpoints are added to its table.
 */
export const makeDirectRequests = Effect.fnUntraced(function* <F, R>(
  { endpoints: makeEndpoints, toProblem }: Direct<F, R>,
  table: { readonly add: (method: string, path: `/${string}`) => void },
  answerRouted: (active: ActiveRequest) => void
) {
  const endpoints = yield* makeEndpoints
  for (const { isRoutedToo, method, path } of endpoints) if (!isRoutedToo) table.add(method, path)
  const scope = yield* Effect.scope
  const services = yield* Effect.context()
  const share = yield* SampledShare
  const random = yield* Random.Random
  const byPath = new Map<string, DirectEndpoint<F>>(endpoints.map((endpoint) => [endpoint.path, endpoint]))

  const begin = (active: ActiveRequest, { begin, headers, path }: DirectEndpoint<F>) => {
    const { hold, release, request, response, standing, state } = active
    state.route = path
    const isSampled = share > 0 && random.nextDoubleUnsafe() < share
    const send = ({ headers: own, json }: DirectAnswer) =>
      sendText(active, 200, "application/json", json, { ...headers, ...own })
    const refuse = (failure: F | HttpFailure) =>
      Effect.suspend(() => {
        const problem = toProblem(failure, state)
        return Effect.andThen(
          holdBack(problem.body),
          Effect.sync(() => sendAnswer(active, problem, headers))
        )
      })
    const run: Exchange<F>["run"] = (answer) => {
      const answered = answer.pipe(
        Effect.map(send),
        Effect.catch(refuse),
        Effect.catchCause((cause) =>
          // Nobody reads the response to a client that has disconnected.
          response.destroyed ? Effect.void : Effect.flatMap(failureOf(cause), refuse)
        ),
        inSample(isSampled, "Requests.answer", { "outreach_forecast.request_id": state.id })
      )
      hold()
      const fiber = Effect.runForkWith(
        services.pipe(Context.add(CurrentRequest, state), Context.add(CurrentStanding, standing))
      )(answered)
      Fiber.runIn(fiber, scope)
      fiber.addObserver(release)
      response.on("close", () => {
        if (!response.writableEnded) fiber.interruptUnsafe()
      })
    }
    const later: Exchange<F>["later"] = (takeBack) => {
      hold()
      response.on("close", () => {
        if (!response.writableEnded && takeBack()) release()
      })
      return {
        send: (answer) => {
          send(answer)
          release()
        },
        run: (answer) => {
          run(answer)
          release()
        }
      }
    }
    begin({ request, state, isSampled, run, later })
  }

  return (active: ActiveRequest): void => {
    const { method, url = "" } = active.request
    const endpoint = byPath.get(pathOf(url))
    const isRouted = endpoint?.method !== method || (endpoint?.isRoutedToo === true && url.includes("?"))
    if (endpoint === undefined || isRouted) answerRouted(active)
    // Node first parses the rest of what has arrived: usually the whole body.
    else process.nextTick(begin, active, endpoint)
  }
})
