import { cutLink, cutLinkMessage } from "./history/Fragment.ts"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Effect, Layer, Record } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import {
  addressOf,
  isWhole,
  linkOf,
  type NumbersPath,
  openingValues,
  presetParameter,
  presets,
  valuesOf,
  withPreset
} from "./Presets.ts"
import { fieldNames, type FormValues } from "./FormFields.ts"
import { listField } from "./list/readList.ts"
import { listPage } from "./ListPages.ts"
import { counted } from "../text/Figures.ts"
import { showDay } from "../text/Times.ts"
import { Html, html } from "../text/html.ts"
import { Settings } from "../Settings.ts"
import type { Computation } from "../workers/Computation.ts"
import { Forecaster } from "../forecast/Forecaster.ts"
import { noticePage } from "../site/ErrorPages.ts"
import { calculatedPages, formReading, listReading, type ShownForm, type ShownList } from "./calculatedPages.ts"
import { calculatorPage, embedMessage, embedPage, homePage, reportPage } from "./CalculatorPages.ts"
import { reportTitle } from "./reportTitle.ts"
import { retryAfter } from "../http/ResponseHeaders.ts"
import { apiAddress } from "../site/ApiAddress.ts"
import { ClientAddress } from "../http/ClientAddress.ts"
import { refusalDelay, Limits } from "../Limits.ts"
import { makeReceiveLarge, readText } from "../http/RequestBody.ts"

import { makePublicResponder } from "../http/PublicResponse.ts"

/** The query of the address. */
const parametersOf = ({ url }: HttpServerRequest.HttpServerRequest): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "")

/** The largest form, in KiB: 100 campaigns with names of 100 characters, each of nine bytes as it is sent. */
const maxForm = 128

/** The link to a page with these numbers. */
const link = (values: FormValues, path?: NumbersPath) => Effect.promise(() => linkOf(values, path))

/** A computation is only begun if its client has this many milliseconds left: as many as the longest piece takes. */
const longestMillis = 150

/** Numbers as read from a form; without errors, they can be calculated. */
interface Reading {
  readonly values: FormValues
  readonly errors: ReadonlyArray<unknown>
}

/** A page for the numbers in its address. */
interface NumbersPage<R extends Reading> {
  readonly path: NumbersPath
  /** The names of its numbers. */
  readonly names: ReadonlyArray<string>
  readonly reading: Computation<FormValues, R, never>
  /** The values, and the response, if the address has none. */
  readonly opening: {
    readonly values: FormValues
    readonly response?: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
  }
  readonly show: (reading: R, views: { readonly [place: string]: Html }) => HttpServerResponse.HttpServerResponse
  /** The response to numbers with errors. */
  readonly wrong: (reading: R) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  /** The response to a client that has to wait, with a link to try again. */
  readonly refused: (
    message: string,
    again: { readonly path: string; readonly text: string }
  ) => HttpServerResponse.HttpServerResponse
}

/**
 * `/`: the calculator; `/report`: its result on one sheet of paper; `/embed`: in a frame of another site; `/list`: a list
 * of campaigns. With numbers in the address the service calculates, for visitors who follow a link or have no
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

    /** A turn at the expense of a client, who pays for each piece after it. */
    const turnOf = <E>(client: string, admit: Effect.Effect<void, E>) => ({
      of: client,
      admit,
      spend: (millis: number) => Effect.sync(() => budgets.spend(client, millis))
    })

    /** Checks that a client has time left for the longest piece. */
    const hasTime = (client: string) =>
      Effect.tap(budgets.count(client, longest), () => Effect.sync(() => budgets.spend(client, -longest)))

    /** Calculates the views of a page at the expense of a client. */
    const calculate = Effect.fnUntraced(function* (client: string, path: NumbersPath, values: FormValues) {
      const day = showDay(yield* Clock.currentTimeMillis)
      const texts = yield* forecaster.compute(
        calculatedPages,
        { path, values, address, back: yield* link(values), day },
        turnOf(client, Effect.void)
      )
      return Record.map(texts, (text) => new Html(text))
    })

    const calculated = <R extends Reading>(
      request: HttpServerRequest.HttpServerRequest,
      { path, reading, refused, show, wrong }: NumbersPage<R>,
      values: FormValues
    ) => {
      const client = clients.of(NodeHttpServerRequest.toIncomingMessage(request))
      const shown = Effect.flatMap(forecaster.compute(reading, values, turnOf(client, hasTime(client))), (read) =>
        read.errors.length > 0
          ? wrong(read)
          : respondPublicly(Effect.map(calculate(client, path, read.values), (views) => show(read, views)))
      )
      return Effect.andThen(budgets.count(client), shown).pipe(
        Effect.catchTag(
          "RateLimited",
          Effect.fnUntraced(function* ({ retryAfter: seconds }) {
            const message = `That was a lot of calculations. Wait ${counted(seconds, "second")}, then calculate again.`
            const again = { path: yield* link(values, path), text: "Calculate again" }
            const refusal = HttpServerResponse.setHeaders(refused(message, again), retryAfter.of(seconds))
            return yield* Effect.as(refusalDelay, refusal)
          })
        )
      )
    }

    const calculator: NumbersPage<ShownForm> = {
      path: "/",
      names: fieldNames,
      reading: formReading,
      opening: { values: openingValues, response: home },
      show: (reading, views) => calculatorPage({ reading, views, address }),
      wrong: (reading) => Effect.succeed(calculatorPage({ reading, views: undefined, address, status: 400 })),
      refused: (message, again) => noticePage("Too many calculations", message, 429, again)
    }

    const report: NumbersPage<ShownForm> = {
      ...calculator,
      path: "/report",
      opening: { values: openingValues },
      show: ({ values }, { headline = html``, main = html`` }) => reportPage(reportTitle(headline.text, values), main)
    }

    const embed: NumbersPage<ShownForm> = {
      ...report,
      path: "/embed",
      show: (_, { main = html`` }) => embedPage(main),
      wrong: Effect.fnUntraced(function* ({ values }) {
        const isCut = values[cutLink] !== undefined
        return embedMessage(isCut ? cutLinkMessage : "The numbers of this forecast have errors.", 400, {
          path: yield* link(values),
          text: isCut ? "Check them in the calculator" : "Correct them in the calculator"
        })
      }),
      refused: (message, again) => embedMessage(message, 429, again)
    }

    const listUrl = `${address.baseUrl}/list`
    const list: NumbersPage<ShownList> = {
      path: "/list",
      names: [listField],
      reading: listReading,
      opening: {
        values: {},
        response: respondPublicly(
          yield* Effect.cached(Effect.sync(() => listPage({ values: {}, errors: [] }, undefined, listUrl)))
        )
      },
      show: (reading, { main }) => listPage(reading, main, `${address.baseUrl}${addressOf(reading.values, "/list")}`),
      wrong: (reading) => Effect.succeed(listPage(reading, undefined, listUrl)),
      refused: calculator.refused
    }

    const serve = Effect.fnUntraced(function* <R extends Reading>(page: NumbersPage<R>) {
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
