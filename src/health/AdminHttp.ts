import { randomUUIDv7 } from "node:crypto"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Cause, Context, Effect, Exit, FiberSet, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import { DatabaseUnavailable, explain } from "../database/Failures.ts"
import { prometheusName } from "../observability/Telemetry.ts"
import { Settings } from "../Settings.ts"
import { errorPage } from "../site/ErrorPages.ts"
import { MethodNotAllowed, NotFound } from "../http/problems/HttpFailures.ts"
import { ClientAddress } from "../http/ClientAddress.ts"
import { newRequest } from "../http/RequestState.ts"
import { Draining } from "../http/server/Draining.ts"
import { failureOf } from "../http/problems/HttpProblems.ts"
import { makeNodeServer, type NodeServer } from "../http/server/NodeServer.ts"
import { makeWhileStarting, orPortUnusable } from "../http/server/Starting.ts"
import { pathOf, type Reply, sendProblem, sendText } from "../http/server/RequestPipeline.ts"

/** Monitoring needs a few connections; they do not count towards the limit of the public listener. */
const maxConnections = 20

/** A response to the operator. */
interface AdminResponse {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

const json = (status: number, value: unknown): AdminResponse => ({
  status,
  contentType: "application/json",
  text: JSON.stringify(value)
})

const metrics = Effect.map(PrometheusMetrics.format({ metricNameMapper: prometheusName }), (text): AdminResponse => ({
  status: 200,
  contentType: "text/plain; version=0.0.4; charset=utf-8",
  text
}))

/** Creates the readiness check: whether the service accepts requests and, if not, why. */
const makeReadiness = Effect.gen(function* () {
  const database = yield* DatabaseHealth
  const draining = yield* Draining
  return Effect.map(Effect.exit(database.check), (checked) => {
    const isDraining = draining.isDraining()
    const isReady = Exit.isSuccess(checked) && !isDraining
    const fault = Exit.isSuccess(checked) ? undefined : Cause.squash(checked.cause)
    return json(isReady ? 200 : 503, {
      status: isReady ? "ok" : "unavailable",
      draining: isDraining,
      database: fault === undefined ? "ok" : fault instanceof DatabaseUnavailable ? fault.fault : "unreachable",
      ...(fault === undefined ? {} : { reason: explain(fault) })
    })
  })
})

/**
 * The listener for the operator. It has connections of its own, so that it answers while the public listener is full,
 * and until the service has stopped.
 */
export class AdminServer extends Context.Service<
  AdminServer,
  {
    /** The address listened on; none if no port is configured. */
    readonly url: Option.Option<string>
    readonly serve: NodeServer["serve"]
  }
>()("outreach-forecast/health/AdminServer") {
  static readonly layer = Layer.effect(
    AdminServer,
    Effect.gen(function* () {
      const { adminHost, adminPort, publicUrl } = yield* Settings
      if (Option.isNone(adminPort)) return { url: Option.none(), serve: () => {} }
      const base = Option.getOrElse(publicUrl, () => "")
      const { cut, serve, server } = makeNodeServer({
        publicUrl: () => base,
        errorPage,
        newId: randomUUIDv7,
        onRefused: () => {},
        onFull: () => {},
        maxConnections,
        clients: yield* ClientAddress,
        whileStarting: makeWhileStarting({ publicUrl: base, errorPage })
      })
      const options = { host: adminHost, port: adminPort.value }
      const { address } = yield* orPortUnusable("ADMIN_PORT")(NodeHttpServer.make(() => server, options))
      yield* Effect.addFinalizer(() => Effect.sync(cut))
      return { url: Option.some(HttpServer.formatAddress(address)), serve }
    })
  ).pipe(Layer.provide(ClientAddress.layer))
}

/** Answers the operator: `/metrics` for Prometheus, `/livez`, and `/readyz` with the reason. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    const { serve } = yield* AdminServer
    const base = Option.getOrElse(publicUrl, () => "")
    const paths = new Map<string, Effect.Effect<AdminResponse>>([
      ["/livez", Effect.succeed(json(200, { status: "ok" }))],
      ["/readyz", yield* makeReadiness],
      ["/metrics", metrics]
    ])
    const run = yield* FiberSet.makeRuntime()
    const answer = (reply: Reply, effect: Effect.Effect<AdminResponse>) =>
      effect.pipe(
        Effect.map(({ contentType, status, text }) => sendText(reply, status, contentType, text, {})),
        Effect.catchCause((cause) => Effect.map(failureOf(cause), (failure) => sendProblem(reply, failure)))
      )
    serve((request, response) => {
      const reply = { request, response, state: newRequest(randomUUIDv7(), base), isLast: () => false, errorPage }
      const effect = paths.get(pathOf(request.url ?? ""))
      if (effect === undefined) return sendProblem(reply, new NotFound())
      if (request.method === "GET" || request.method === "HEAD") return void run(answer(reply, effect))
      return sendProblem(reply, new MethodNotAllowed({ allowed: ["GET", "HEAD"] }))
    })
  })
)
