import { cutLink, cutLinkMessage } from "../tables/Fragment.ts"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Data, Effect, Layer, Record, Result } from "effect"
import { HttpPlatform, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { addressOf, isWhole, type NumbersPath, presetParameter } from "./Presets.ts"
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
  openingOf,
  type PageRequest,
  type SentForm,
  sentValues,
  valuesAt
} from "./calculatedPages.ts"
import { linkOf } from "./Link.ts"
import { calculatorPage, embedMessage, embedPage, homePage, reportPage } from "./CalculatorPages.ts"
import { reportTitle } from "./reportTitle.ts"
import { retryAfter } from "../../http/ResponseHeaders.ts"
import { apiAddress } from "../../site/ApiAddress.ts"
import { ClientAddress } from "../../http/ClientAddress.ts"
import { Limits, type Overloaded, type RateLimited, refusalDelay } from "../../Limits.ts"
import { LargeBodies } from "../../http/LargeBodies.ts"
import { isLong, readText } from "../../http/RequestBody.ts"

import { respondPublicly } from "../../http/PublicResponse.ts"
import type { InvalidInput, MalformedJson } from "../../input/InvalidInput.ts"
import { firstFields } from "../../input/readFields.ts"
import type { PayloadTooLarge } from "../../http/problems/HttpFailures.ts"

/** The query of the address, as far as a form would be read. */
const parametersOf = ({ url }: HttpServerRequest.HttpServerRequest): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? firstFields(url.slice(url.indexOf("?"))) : "")

/** The characters of a body that the event loop receives in a millisecond. */
const receivedPerMilli = 32 * 1024

/** The index of the preset in the address of a form. */
const presetIn = (request: HttpServerRequest.HttpServerRequest): number | undefined => {
  const written = parametersOf(request).get(presetParameter) ?? ""
  return /^\d{1,3}$/.test(written) ? Number(written) : undefined
}

/** The largest form, in KiB: 100 campaigns with names of 100 characters, each of nine bytes as it is sent. */
const maxForm = 128

/** A computation is only begun if its client has this many milliseconds left: as many as the longest piece takes. */
const longestMillis = 150

/** The seconds in which each of the clients that wait has about one turn. */
const busySeconds = 5

type Response = HttpServerResponse.HttpServerResponse

/** The failures of receiving and reading a form. */
type Failure = InvalidInput | MalformedJson | Overloaded | PayloadTooLarge

/** Too many calculations of clients wait for their turn. */
class Busy extends Data.TaggedClass("Busy")<{}> {}

/** A page for the numbers in its address. */
interface NumbersPage<R extends CalculatedForm | CalculatedList> {
  readonly path: NumbersPath
  readonly calculation: Computation<PageRequest, R, InvalidInput>
  /** The response if the address has no numbers, unless that is calculated too. */
  readonly opening?: Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest>
  readonly show: (calculated: R, views: { readonly [place: string]: Html }) => Response
  /** The response to numbers with errors. */
  readonly wrong: (calculated: R) => Response
  /** The response to a client that has to wait, with a link to try again. */
  readonly refused: (message: string, again: { readonly path: string; readonly text: string }) => Response
}

/**
 * `/`: the calculator; `/report`: its result on one sheet of paper; `/embed`: in a frame of another site; `/list`: a
 * list of campaigns. With numbers in the address the service calculates, for visitors who follow a link or have no
 * JavaScript; because that is free, a client has two seconds of it in a minute. A page costs a millisecond on arrival,
 * before its form is read, and the time that it took to read, calculate and show, in a thread and on the event loop.
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { limits } = yield* Settings
    const clock = yield* Clock.Clock
    const clients = yield* ClientAddress
    const { buckets } = yield* Limits
    const address = yield* apiAddress
    const platform = yield* HttpPlatform.HttpPlatform
    const largeBodies = yield* LargeBodies
    const forecaster = yield* Forecaster
    const size = limits.calculationMillisPerMinute
    const longest = Math.min(longestMillis, size - 1)
    const budgets = buckets({ size, refill: 60_000 })
    const home = respondPublicly(platform, yield* Effect.cached(Effect.sync(() => homePage(address))))

    const spend = (client: string, millis: number) => Effect.sync(() => budgets.spend(client, millis))

    /** Does what takes the event loop milliseconds, at the expense of a client. */
    const atExpenseOf = <A>(client: string, work: () => A): Effect.Effect<A> =>
      Effect.suspend(() => {
        const begun = clock.monotonicTimeNanosUnsafe()
        const result = work()
        return Effect.as(spend(client, Number(clock.monotonicTimeNanosUnsafe() - begun) / 1e6), result)
      })

    /** Answers a request of a client who has time left; tells others to wait. `again` is the address to return to. */
    const unlessRefused = <R extends CalculatedForm | CalculatedList>(
      { refused }: NumbersPage<R>,
      again: () => string,
      answer: Effect.Effect<Response, Failure | Busy | RateLimited, HttpServerRequest.HttpServerRequest>
    ): Effect.Effect<Response, Failure, HttpServerRequest.HttpServerRequest> => {
      const refuse = (reason: string, seconds: number) => {
        const message = `${reason} Wait ${counted(seconds, "second")}, then calculate again.`
        const refusal = refused(message, { path: again(), text: "Calculate again" })
        return Effect.as(refusalDelay, HttpServerResponse.setHeaders(refusal, retryAfter.of(seconds)))
      }
      return Effect.catchTags(answer, {
        RateLimited: ({ retryAfter: seconds }) => refuse("That was a lot of calculations.", seconds),
        Busy: () => refuse("Many others are calculating at the moment.", busySeconds)
      })
    }

    /** Calculates a page at the expense of a client, who needs time for the longest piece, and pays after each. */
    const calculated = Effect.fnUntraced(function* <R extends CalculatedForm | CalculatedList>(
      client: string,
      page: NumbersPage<R>,
      form: PageRequest["form"]
    ) {
      const { calculation, path, show, wrong } = page
      const turn = {
        of: { client },
        admit: Effect.andThen(budgets.count(client, longest), spend(client, -longest)),
        spend: (millis: number) => spend(client, millis)
      }
      const day = showDay(clock.currentTimeMillisUnsafe())
      const result = yield* forecaster
        .compute(calculation, { path, form, address, day }, turn)
        .pipe(Effect.catchTag("Overloaded", () => Effect.fail(new Busy())))
      const { texts } = result
      if (texts === undefined) return yield* atExpenseOf(client, () => wrong(result))
      return yield* respondPublicly(
        platform,
        atExpenseOf(client, () =>
          show(
            result,
            Record.map(texts, (text) => new Html(text))
          )
        )
      )
    })

    const calculator: NumbersPage<CalculatedForm> = {
      path: "/",
      calculation: formCalculation,
      opening: home,
      show: (reading, views) => calculatorPage({ reading, views, address }),
      wrong: (reading) => calculatorPage({ reading, views: undefined, address, status: 400 }),
      refused: (message, again) => noticePage("Too many calculations", message, 429, again)
    }

    const { opening: _, ...withoutOpening } = calculator
    const report: NumbersPage<CalculatedForm> = {
      ...withoutOpening,
      path: "/report",
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
      calculation: listCalculation,
      opening: respondPublicly(
        platform,
        yield* Effect.cached(Effect.sync(() => listPage({ values: {}, errors: [], rows: [] }, undefined, listUrl)))
      ),
      show: (reading, { main }) => listPage(reading, main, `${address.baseUrl}${addressOf(reading.values, "/list")}`),
      wrong: (reading) => listPage(reading, undefined, listUrl),
      refused: calculator.refused
    }

    const clientOf = (request: HttpServerRequest.HttpServerRequest) =>
      clients.of(NodeHttpServerRequest.toIncomingMessage(request))

    const serve = Effect.fnUntraced(function* <R extends CalculatedForm | CalculatedList>(page: NumbersPage<R>) {
      const { opening, path } = page
      yield* router.add(
        "GET",
        path,
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
          const values = valuesAt(path, parametersOf(request))
          if (opening !== undefined && values === openingOf(path)) return opening
          const client = clientOf(request)
          const answer = Effect.andThen(budgets.count(client), calculated(client, page, { values }))
          return unlessRefused(page, () => linkOf(values, path), answer)
        })
      )

      /** A form that fits into an address gets one, to keep and to share; it sends its empty fields too. */
      const answerShort = Effect.fnUntraced(function* (client: string, form: SentForm) {
        const { address, values } = yield* atExpenseOf(client, () =>
          Result.map(sentValues(path, form), (values) => ({
            values,
            address: isWhole(values) ? addressOf(values, path) : undefined
          }))
        ).pipe(Effect.flatMap(Effect.fromResult))
        return address === undefined
          ? yield* unlessRefused(page, () => linkOf(values, path), calculated(client, page, { values }))
          : HttpServerResponse.redirect(address, { status: 303 })
      })

      yield* router.add(
        "POST",
        path,
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const client = clientOf(request)
          const preset = presetIn(request)
          const answer = Effect.gen(function* () {
            yield* budgets.count(client)
            const text = yield* largeBodies.receive(request, undefined, (count) => readText(request, maxForm, count))
            yield* spend(client, text.length / receivedPerMilli)
            const form = { text, ...(preset !== undefined && { preset }) }
            return yield* isLong(text) ? calculated(client, page, form) : answerShort(client, form)
          })
          return yield* unlessRefused(page, () => path, answer)
        })
      )
    })
    for (const page of [calculator, report, embed]) yield* serve(page)
    yield* serve(list)
  })
).pipe(Layer.provide([ClientAddress.layer, LargeBodies.layer, Limits.layer]))
