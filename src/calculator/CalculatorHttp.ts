import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Effect, Layer, Record } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { addressOf } from "./Presets.ts"
import { exampleValues, type FormReading, type FormValues, readForm, valuesOf } from "./readForm.ts"
import { counted } from "../text/Figures.ts"
import { showDay } from "../text/Times.ts"
import { Html } from "../text/html.ts"
import { Settings } from "../Settings.ts"
import type { Overloaded } from "../http/problems/HttpFailures.ts"
import { WorkerPool } from "../workers/WorkerPool.ts"
import { noticePage } from "../site/ErrorPages.ts"
import { calculatedViews } from "./calculatedViews.ts"
import { calculatorPage, embedMessage, embedPage, homePage, reportPage } from "./CalculatorPages.ts"
import { embedView } from "./embed/embedView.ts"
import { reportView } from "./report/reportView.ts"
import { retryAfter } from "../http/ResponseHeaders.ts"
import { apiAddress } from "../site/ApiAddress.ts"
import { ClientAddress } from "../http/limits/ClientAddress.ts"
import { makePublicResponder } from "../http/PublicResponse.ts"
import { Refusals } from "../http/limits/Refusals.ts"
import { makeTokenBuckets } from "../http/limits/tokenBuckets.ts"

/** The query of the address. */
const parametersOf = ({ url }: HttpServerRequest.HttpServerRequest): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "")

/** A page for the numbers in its address. */
interface NumbersPage {
  readonly path: "/" | "/report" | "/embed"
  readonly show: (
    reading: FormReading,
    client: string
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Overloaded>
  /** The response to numbers with errors. */
  readonly wrong: (reading: FormReading) => HttpServerResponse.HttpServerResponse
  /** The response to a client that has to wait, with a link to try again. */
  readonly refused: (
    message: string,
    again: { readonly path: string; readonly text: string }
  ) => HttpServerResponse.HttpServerResponse
}

/**
 * `/`: the calculator; `/report`: its result on one sheet of paper; `/embed`: in a frame of another site. With numbers in the address the service calculates, for
 * visitors who follow a link or have no JavaScript; because that is free, it is limited per client and minute, whether the numbers
 * are valid or not.
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { limits } = yield* Settings
    const clients = yield* ClientAddress
    const address = yield* apiAddress
    const respondPublicly = yield* makePublicResponder
    const pool = yield* WorkerPool
    const refusals = yield* Refusals
    const calculations = makeTokenBuckets({ size: limits.calculationsPerMinute, refill: 60_000 })
    const home = respondPublicly(yield* Effect.cached(Effect.sync(() => homePage(address))))

    const calculated = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      { path, refused, show, wrong }: NumbersPage,
      values: FormValues
    ) {
      const received = NodeHttpServerRequest.toIncomingMessage(request)
      const client = clients.of(received)
      const wait = calculations.take(client, Number(yield* Clock.monotonicTimeNanos) / 1e6)
      if (wait > 0) {
        const seconds = Math.ceil(wait / 1000)
        const message = `That was a lot of calculations. Wait ${counted(seconds, "second")}, then calculate again.`
        yield* refusals.turn(received)
        const again = { path: `${path}?${String(new URLSearchParams(values))}`, text: "Calculate again" }
        return HttpServerResponse.setHeaders(refused(message, again), retryAfter.of(seconds))
      }
      const reading = readForm(values)
      if (reading.input === undefined) return wrong(reading)
      return yield* respondPublicly(show(reading, client))
    })

    const calculator: NumbersPage = {
      path: "/",
      show: (reading, client) =>
        Effect.map(
          pool.compute(client, (run) => run(calculatedViews, { values: reading.values, address })),
          (texts) => calculatorPage({ reading, views: Record.map(texts, (text) => new Html(text)), address })
        ),
      wrong: (reading) => calculatorPage({ reading, views: undefined, address, status: 400 }),
      refused: (message, again) => noticePage("Too many calculations", message, 429, again)
    }

    const report: NumbersPage = {
      ...calculator,
      path: "/report",
      show: Effect.fnUntraced(function* ({ values }, client) {
        const input = { values, baseUrl: address.baseUrl, day: showDay(yield* Clock.currentTimeMillis) }
        return reportPage(new Html(yield* pool.compute(client, (run) => run(reportView, input))))
      })
    }

    const embed: NumbersPage = {
      path: "/embed",
      show: ({ values }, client) =>
        Effect.map(
          pool.compute(client, (run) => run(embedView, { values, baseUrl: address.baseUrl })),
          (text) => embedPage(new Html(text))
        ),
      wrong: ({ values }) =>
        embedMessage("The numbers of this forecast have errors.", 400, {
          path: addressOf(values),
          text: "Correct them in the calculator"
        }),
      refused: (message, again) => embedMessage(message, 429, again)
    }

    yield* router.add(
      "GET",
      "/",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const values = valuesOf(parametersOf(request))
        if (values === exampleValues) return yield* home
        // Without JavaScript, a form sends its empty fields too.
        const isTidy = !Object.values(values).includes("")
        return isTidy
          ? yield* calculated(request, calculator, values)
          : HttpServerResponse.redirect(addressOf(values), { status: 303 })
      })
    )
    for (const page of [report, embed]) {
      yield* router.add(
        "GET",
        page.path,
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          calculated(request, page, valuesOf(parametersOf(request)))
        )
      )
    }
  })
).pipe(Layer.provide([ClientAddress.layer, Refusals.layer]))
