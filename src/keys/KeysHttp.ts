import { Effect, Layer } from "effect"
import { HttpApiBuilder, HttpApiGroup } from "effect/http-api"
import { Credits } from "../credits/Credits.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { apiOf } from "../http/problems/ProblemAnswers.ts"
import { isoTime } from "../text/isoTime.ts"
import * as Authenticating from "./AuthenticationHttp.ts"
import { noteBalance } from "./AuthenticationHttp.ts"
import { CurrentKey } from "./AuthenticationApi.ts"
import { defaultPageSize } from "../credits/LedgerPage.ts"
import { RequestLimits } from "../http/limits/RequestLimits.ts"
import { KeyGroup } from "./KeysApi.ts"
import { makeRotate } from "./RotationHttp.ts"

const { ledger, revoke, rotate } = KeyGroup.endpoints

/** Usage is answered together with forecasts. */
const api = apiOf(HttpApiGroup.make("keys").add(ledger, rotate, revoke))

const handlers = HttpApiBuilder.group(
  api,
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

export const layer = HttpApiBuilder.layer(api).pipe(
  Layer.provide(handlers),
  Layer.provide([Authenticating.layer, RequestLimits.layer])
)
