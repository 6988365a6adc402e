import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Effect, Layer, Record } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { exampleValues, type FormReading, readForm, valuesOf } from "../../calculator/readForm.ts"
import { counted } from "../../Figures.ts"
import { Html } from "../../html.ts"
import { Settings } from "../../Settings.ts"
import { WorkerPool } from "../../workers/WorkerPool.ts"
import { calculatorPage } from "../pages/calculator/calculatorPage.ts"
import { homePage } from "../pages/calculator/homePage.ts"
import { retryAfter } from "../ResponseHeaders.ts"
import { apiAddress } from "./ApiAddress.ts"
import { ClientAddress } from "./ClientAddress.ts"
import { makePublicly } from "./PublicAnswer.ts"
import { makeTokenBuckets } from "./tokenBuckets.ts"

/** The query of the address. */
const parametersOf = ({ url }: HttpServerRequest.HttpServerRequest): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "")

/**
 * `/`: the calculator. With numbers in the address the service calculates, for visitors who follow a link or have no
 * JavaScript; that is free, and so limited per client and minute.
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { limits } = yield* Settings
    const clients = yield* ClientAddress
    const address = yield* apiAddress
    const publicly = yield* makePublicly
    const pool = yield* WorkerPool
    const calculations = makeTokenBuckets({ size: limits.calculationsPerMinute, refill: 60_000 })
    const home = publicly(yield* Effect.cached(Effect.sync(() => homePage(address)())))

    const calculated = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      reading: FormReading
    ) {
      const { input, values } = reading
      if (input === undefined) return calculatorPage({ reading, views: undefined, address, status: 400 })
      const client = clients.of(NodeHttpServerRequest.toIncomingMessage(request))
      const wait = calculations.take(client, Number(yield* Clock.monotonicTimeNanos) / 1e6)
      if (wait > 0) {
        const seconds = Math.ceil(wait / 1000)
        const message = `That was a lot of calculations. Wait ${counted(seconds, "second")}, then calculate again.`
        return HttpServerResponse.setHeaders(
          calculatorPage({ reading, views: undefined, address, message, status: 429 }),
          retryAfter.of(seconds)
        )
      }
      const texts = yield* pool.compute(client, (worker) => worker.Calculate({ values, address }))
      const views = Record.map(texts, (text) => new Html(text))
      return yield* publicly(Effect.succeed(calculatorPage({ reading, views, address })))
    })

    yield* router.add(
      "GET",
      "/",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const values = valuesOf(parametersOf(request))
        return yield* values === exampleValues ? home : calculated(request, readForm(values))
      })
    )
  })
).pipe(Layer.provide(ClientAddress.layer))
