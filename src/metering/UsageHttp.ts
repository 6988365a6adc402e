import { Array as Arr, Clock, Effect, Exit, Layer, Result } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../http/problems/ProblemResponses.ts"
import { CurrentKey } from "../keys/AuthenticationApi.ts"
import * as Authenticating from "../keys/AuthenticationHttp.ts"
import { CurrentRequest, type RequestState } from "../http/RequestState.ts"
import { type DirectAnswer, directEndpoint } from "../http/server/RequestPipeline.ts"
import { creditHeadersOf } from "../http/ResponseHeaders.ts"
import { contentTypes, formatOf } from "../http/RequestHeaders.ts"
import { InvalidInput } from "../input/InvalidInput.ts"
import { Credits } from "../credits/Credits.ts"
import { makeBatches } from "../database/Batches.ts"
import { Transaction } from "../database/Transaction.ts"
import type { UsageByMonth } from "../credits/Balance.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { RequestKeys, secretOf } from "../keys/RequestKeys.ts"
import { UsageGroup, usageEndpoint } from "./UsageApi.ts"
import { defaultPageSize } from "./LedgerPage.ts"
import { usageCsv, usageTable, type UsageTable } from "./UsageTable.ts"
import { type KeyUsage, keyUsageOf } from "./KeyUsage.ts"
import { isoTime, monthOf } from "../text/Times.ts"
import { type AuthenticatedKey, Authenticator } from "../keys/Authenticator.ts"

const api = apiOf(UsageGroup)

const monthAlone = new InvalidInput({
  errors: [{ pointer: "/by", code: "required", message: "is required with month: day or sub_key" }]
})

/** The body with the usage of a key, whose balance is noted for the headers of the response. */
const noteUsage = (state: RequestState, key: AuthenticatedKey, usage: UsageByMonth): KeyUsage => {
  state.creditHeaders = creditHeadersOf(usage.balance)
  return keyUsageOf(key, usage)
}

/** Reads the usage of a key, or of its sub-key, for the current request. */
const usageOf = (credits: Credits["Service"], key: AuthenticatedKey) =>
  Effect.flatMap(CurrentRequest, (state) =>
    Effect.map(credits.usage(key.id, key.subKey?.id), (usage) => noteUsage(state, key, usage))
  )

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
          return HttpServerResponse.jsonUnsafe(yield* usageOf(credits, key))
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

const answerWith = (usage: KeyUsage): DirectAnswer => ({ json: JSON.stringify(usage), headers: {} })

/** The endpoint of plain usage. The keys of requests that arrive together are looked up together, and so are balances. */
export const endpoints = Effect.gen(function* () {
  const authenticator = yield* Authenticator
  const credits = yield* Credits
  const limits = yield* KeyLimits
  const { asFound, asKey, known } = yield* RequestKeys
  const { batches } = yield* Transaction
  const context = yield* Effect.context()

  /** Looks up keys by the hashes of their secrets, with the usage of those that are not sub-keys. */
  const readAll = Effect.fnUntraced(function* (hashes: ReadonlyArray<string>) {
    const found = yield* authenticator.findAll(hashes)
    const keyIds = new Set(
      found.flatMap((one) => (Result.isSuccess(one) && one.success.subKey === undefined ? one.success.id : []))
    )
    const usages = keyIds.size === 0 ? [] : yield* credits.usages([...keyIds])
    const byKey = new Map(Arr.zip([...keyIds], usages))
    return found.map((found) =>
      Exit.succeed({ found, usage: Result.isSuccess(found) ? byKey.get(found.success.id) : undefined })
    )
  })
  const add = makeBatches({ name: "Usage.read", all: readAll, ...batches })

  const answer = (key: AuthenticatedKey) => Effect.map(usageOf(credits, key), answerWith)

  return [
    directEndpoint(
      usageEndpoint,
      ({ isSampled, later, request, run, state }) => {
        const secret = isSampled ? undefined : known(request)
        if (secret === undefined || !limits.countAgain(secret.bucket)) {
          return run(asKey(request, secretOf(request), answer))
        }
        const takeBack = add({
          item: secret.hash,
          context,
          begin: (whenEnded) => () =>
            whenEnded((read) => {
              if (Exit.isFailure(read)) return respond.run(Effect.failCause(read.cause))
              const { found, usage } = read.value
              if (usage === undefined || Result.isFailure(found) || found.success.subKey !== undefined) {
                return respond.run(asFound(request, secret, found, Effect.flatMap(Effect.fromResult(found), answer)))
              }
              state.keyPrefix = found.success.secretPrefix
              return respond.send(answerWith(noteUsage(state, found.success, usage)))
            })
        })
        const respond = later(takeBack)
      },
      { isRoutedToo: true }
    )
  ]
})
