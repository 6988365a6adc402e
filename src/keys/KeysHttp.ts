import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Credits } from "../credits/Credits.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { RoutedApi } from "../RoutedApi.ts"
import { isoTime } from "../text/isoTime.ts"
import * as Authenticating from "./AuthenticationHttp.ts"
import { noteBalance } from "./AuthenticationHttp.ts"
import { CurrentKey } from "./AuthenticationApi.ts"
import { defaultPageSize } from "../credits/LedgerPage.ts"
import { RequestLimits } from "../http/limits/RequestLimits.ts"
import { makeRotate } from "./RotationHttp.ts"

const handlers = HttpApiBuilder.group(
  RoutedApi,
  "keys",
  Effect.fnUntraced(function* (handlers) {
    const apiKeys = yield* ApiKeys
    const credits = yield* Credits
    const rotate = yield* makeRotate
    return handlers
      .handle(
        "ledger",
        Effect.fnUntraced(function* ({ query }) {
          const { id } = yield* CurrentKey
          const { cursor, limit = defaultPageSize } = query
          yield* noteBalance(credits.balance(id))
          const entries = yield* credits.history(id, limit + 1, cursor === undefined ? undefined : Number(cursor))
          const page = entries.slice(0, limit)
          return {
            entries: page.map(({ balanceAfter, createdAt, delta, kind, reference }) => ({
              kind,
              delta,
              balance_after: balanceAfter,
              reference,
              created_at: isoTime(createdAt)
            })),
            next_cursor: entries.length > limit ? String(page.at(-1)?.id) : null
          }
        })
      )
      .handleRaw(
        "rotate",
        Effect.fnUntraced(function* ({ request }) {
          const key = yield* CurrentKey
          const answer = yield* rotate(request, key)
          yield* noteBalance(credits.balance(key.id))
          return answer
        })
      )
      .handle(
        "revoke",
        Effect.fnUntraced(function* () {
          const { id } = yield* CurrentKey
          yield* noteBalance(credits.balance(id))
          const { secretPrefix } = yield* apiKeys
            .revoke(id, "owner")
            .pipe(Effect.catchTags({ KeyNotFound: Effect.die, AmbiguousPrefix: Effect.die }))
          return { key_prefix: secretPrefix, state: "revoked" as const }
        })
      )
  })
)

export const layer = handlers.pipe(Layer.provide([Authenticating.layer, RequestLimits.layer]))
