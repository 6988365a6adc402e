import { cutLink, cutLinkMessage } from "../tables/Fragment.ts"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Effect, Layer, Record } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import {
  addressOf,
  isWhole,
  type NumbersPath,
  openingValues,
  presetParameter,
  presets,
  valuesOf,
  withPreset
} from "./Presets.ts"
import { fieldNames } from "./FormFields.ts"
import { listField } from "./list/readList.ts"
import { listPage } from "./ListPages.ts"
import { counted } from "../../text/Figures.ts"
import { showDay } from "../../text/Times.ts"
import { Html, html } from "../../text/html.ts"
import { Settings } from "../../Settings.ts"
import type { Computation } from "../../workers/Computation.ts"
import { Forecaster } from "../../forecast/Forecaster.ts"
import { noticePage } from "../../site/ErrorPages.ts"
import {
  type CalculatedForm,
  type CalculatedList,
  formCalculation,
  listCalculation,
  type PageRequest
} from "./calculatedPages.ts"
import { linkOf } from "./Link.ts"
import { calculatorPage, embedMessage, embedPage, homePage, reportPage } from "./CalculatorPages.ts"
import { reportTitle } from "./reportTitle.ts"
import { retryAfter } from "../../http/ResponseHeaders.ts"
import { apiAddress } from "../../site/ApiAddress.ts"
import { ClientAddress } from "../../http/ClientAddress.ts"
import { refusalDelay, Limits } from "../../Limits.ts"
import { makeReceiveLarge, readText } from "../../http/RequestBody.ts"

import { makePublicResponder } from "../../http/PublicResponse.ts"
import type { FormValues } from "../../site/form.ts"

/** The query of the address. */
const parametersOf = ({ url }: HttpServerRequest.HttpServerRequest): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "")

/** The largest form, in KiB: 100 campaigns with names of 100 characters, each of nine bytes as it is sent. */
const maxForm = 128

/** A computation is only begun if its client has this many milliseconds left: as many as the longest piece takes. */
const longestMillis = 150

/** The seconds in which each of the clients that wait has about one turn. */
const busySeconds = 5

/** A page for the numbers in its address. */
interface NumbersPage<R extends CalculatedForm | CalculatedList> {
  readonly path: NumbersPath
  /** The names of its numbers. */
  readonly names: ReadonlyArray<string>
  readonly calculation: Computation<PageRequest, R, never>
  /** The values, and the response, if the address has none. */
  readonly opening: {
    readonly values: FormValues
    readonly response?: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
  }
  readonly show: (calculated: R, views: { readonly [place: string]: Html }) => HttpServerResponse.HttpServerResponse
  /** The response to numbers with errors. */
  readonly wrong: (calculated: R) => HttpServerResponse.HttpServerResponse
  /** The response to a client that has to wait, with a link to try again. */
  readonly refused: (
    message: string,
    again: { readonly path: string; readonly text: string }
  ) => HttpServerResponse.HttpServerResponse
}

/**
 * `/`: the calculator; `/report`: its result on one sheet of paper; `/embed`: in a frame of another site; `/list`: a
 * list of campaigns. With numbers in the address the service calculates, for visitors who follow a link or have no
 * JavaScript; because that is free, a client has two seconds of it in a minute. A page costs the time that it took to
 * read and calculate, and a millisecond on arrival.
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { limits } = yield* Settings
    const clients = yield* ClientAddress
    const { buckets } = yield* Limits
    const address = yield* apiAddress
    const respondPublicly = yield* makePublicResponder
    const receiveLarge = yield* makeReceiveLarge
    const forecaster = yield* Forecaster
    const size = limits.calculationMillisPerMinute
    const longest = Math.min(longestMillis, size - 1)
    const budgets = buckets({ size, refill: 60_000 })
    const home = respondPublicly(yield* Effect.cached(Effect.sync(() => homePage(address))))

    /** Calculates a page at the expense of a client, who needs time for the longest piece, and pays after each. */
    const calculated = <R extends CalculatedForm | CalculatedList>(
      request: HttpServerRequest.HttpServerRequest,
      { calculation, path, refused, show, wrong }: NumbersPage<R>,
      values: FormValues
    ) => {
      const client = clients.of(NodeHttpServerRequest.toIncomingMessage(request))
      const spend = (millis: number) => Effect.sync(() => budgets.spend(client, millis))
      const turn = { of: { client }, admit: Effect.andThen(budgets.count(client, longest), spend(-longest)), spend }
      const refuse = (reason: string, seconds: number) => {
        const message = `${reason} Wait ${counted(seconds, "second")}, then calculate again.`
        const refusal = refused(message, { path: linkOf(values, path), text: "Calculate again" })
        return Effect.as(refusalDelay, HttpServerResponse.setHeaders(refusal, retryAfter.of(seconds)))
      }
      return Effect.gen(function* () {
        yield* budgets.count(client)
        const day = showDay(yield* Clock.currentTimeMillis)
        const result = yield* forecaster.compute(calculation, { path, values, address, day }, turn)
        const { places } = result
        if (places === undefined) return wrong(result)
        return yield* respondPublicly(
          Effect.sync(() =>
            show(
              result,
              Record.map(places, (text) => new Html(text))
            )
          )
        )
      }).pipe(
        Effect.catchTags({
          RateLimited: ({ retryAfter: seconds }) => refuse("That was a lot of calculations.", seconds),
          Overloaded: () => refuse("Many others are calculating at the moment.", busySeconds)
        })
      )
    }

    const calculator: NumbersPage<CalculatedForm> = {
      path: "/",
      names: fieldNames,
      calculation: formCalculation,
      opening: { values: openingValues, response: home },
      show: (reading, views) => calculatorPage({ reading, views, address }),
      wrong: (reading) => calculatorPage({ reading, views: undefined, address, status: 400 }),
      refused: (message, again) => noticePage("Too many calculations", message, 429, again)
    }

    const report: NumbersPage<CalculatedForm> = {
      ...calculator,
      path: "/report",
      opening: { values: openingValues },
      show: ({ values }, { headline = html``, main = html`` }) => reportPage(reportTitle(headline.text, values), main)
    }

    const embed: NumbersPage<CalculatedForm> = {
      ...report,
      path: "/embed",
      show: (_, { main = html`` }) => embedPage(main),
      wrong: ({ values }) => {
        const isCut = values[cutLink] !== undefined
        return embedMessage(isCut ? cutLinkMessage : "The numbers of this forecast have errors.", 400, {
          path: linkOf(values),
          text: isCut ? "Check them in the calculator" : "Correct them in the calculator"
        })
      },
      refused: (message, again) => embedMessage(message, 429, again)
    }

    const listUrl = `${address.baseUrl}/list`
    const list: NumbersPage<CalculatedList> = {
      path: "/list",
      names: [listField],
      calculation: listCalculation,
      opening: {
        values: {},
        response: respondPublicly(
          yield* Effect.cached(Effect.sync(() => listPage({ values: {}, errors: [] }, undefined, listUrl)))
        )
      },
      show: (reading, { main }) => listPage(reading, main, `${address.baseUrl}${addressOf(reading.values, "/list")}`),
      wrong: (reading) => listPage(reading, undefined, listUrl),
      refused: calculator.refused
    }

    const serve = Effect.fnUntraced(function* <R extends CalculatedForm | CalculatedList>(page: NumbersPage<R>) {
      const { names, opening } = page
      const valuesIn = (parameters: URLSearchParams) => valuesOf(parameters, names, opening.values)
      const answer = (request: HttpServerRequest.HttpServerRequest, values: FormValues) =>
        opening.response !== undefined && values === opening.values
          ? opening.response
          : calculated(request, page, values)
      yield* router.add(
        "GET",
        page.path,
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          answer(request, valuesIn(parametersOf(request)))
        )
      )
      // A form that fits into an address gets one, to keep and to share; it sends its empty fields too.
      yield* router.add(
        "POST",
        page.path,
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const text = yield* receiveLarge(request, undefined, (count) => readText(request, maxForm, count))
          const sent = Record.filter(valuesIn(new URLSearchParams(text)), (value) => value !== "")
          const preset = presets[Number(parametersOf(request).get(presetParameter) ?? "-1")]
          const values = preset === undefined ? sent : withPreset(sent, preset.values)
          return isWhole(values)
            ? HttpServerResponse.redirect(addressOf(values, page.path), { status: 303 })
            : yield* calculated(request, page, values)
        })
      )
    })
    for (const page of [calculator, report, embed]) yield* serve(page)
    yield* serve(list)
  })
).pipe(Layer.provide([ClientAddress.layer, Limits.layer]))
