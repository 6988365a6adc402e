import { Clock, Effect, Layer } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../http/problems/ProblemResponses.ts"
import { CurrentKey } from "../keys/AuthenticationApi.ts"
import * as Authenticating from "../keys/AuthenticationHttp.ts"
import { CurrentRequest } from "../http/RequestState.ts"
import { creditHeadersOf } from "../http/ResponseHeaders.ts"
import { contentTypes, formatOf } from "../http/RequestHeaders.ts"
import { InvalidInput } from "../input/InvalidInput.ts"
import { Credits } from "../credits/Credits.ts"
import { UsageGroup } from "./UsageApi.ts"
import { defaultPageSize } from "./LedgerPage.ts"
import { usageCsv, usageTable, type UsageTable } from "./UsageTable.ts"
import { keyUsageOf } from "./KeyUsage.ts"
import { isoTime, monthOf } from "../text/Times.ts"
import type { AuthenticatedKey } from "../keys/Authenticator.ts"

const api = apiOf(UsageGroup)

const monthAlone = new InvalidInput({
  errors: [{ pointer: "/by", code: "required", message: "is required with month: day or sub_key" }]
})

const handlers = HttpApiBuilder.group(
  api,
  "credits",
  Effect.fnUntraced(function* (handlers) {
    const credits = yield* Credits

    const answerTable = Effect.fnUntraced(function* (
      { id, subKey }: AuthenticatedKey,
      by: (typeof UsageTable.Type)["by"],
      given: string | undefined,
      { headers }: HttpServerRequest.HttpServerRequest
    ) {
      const month = given ?? monthOf(yield* Clock.currentTimeMillis)
      const table = usageTable(yield* credits.days(id, { month, subKeyId: subKey?.id }), by, month)
      const format = formatOf(headers)
      const text = format === "csv" ? usageCsv(table) : JSON.stringify(table)
      return HttpServerResponse.text(text, { contentType: contentTypes[format] })
    })

    return handlers
      .handleRaw(
        "usage",
        Effect.fnUntraced(function* ({ query, request }) {
          const key = yield* CurrentKey
          const { by, month } = query
          if (by !== undefined) return yield* answerTable(key, by === "day" ? "day" : "sub_key", month, request)
          if (month !== undefined) return yield* monthAlone
          const usage = yield* credits.usage(key.id, key.subKey?.id)
          const state = yield* CurrentRequest
          state.creditHeaders = creditHeadersOf(usage.balance)
          return HttpServerResponse.jsonUnsafe(keyUsageOf(key, usage))
        })
      )
      .handle(
        "ledger",
        Effect.fnUntraced(function* ({ query }) {
          const { id } = yield* CurrentKey
          const { cursor, limit = defaultPageSize } = query
          const entries = yield* credits.history(id, limit + 1, cursor === undefined ? undefined : Number(cursor))
          const page = entries.slice(0, limit)
          return {
            entries: page.map(({ balanceAfter, createdAt, delta, kind, reference, subKey }) => ({
              kind,
              delta,
              balance_after: balanceAfter,
              reference,
              sub_key: subKey ?? null,
              created_at: isoTime(createdAt)
            })),
            next_cursor: entries.length > limit ? String(page.at(-1)?.id) : null
          }
        })
      )
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(Layer.provide(handlers), Layer.provide(Authenticating.layer))
