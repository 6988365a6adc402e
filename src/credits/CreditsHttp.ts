import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../http/problems/ProblemAnswers.ts"
import { CurrentKey } from "../keys/AuthenticationApi.ts"
import * as Authenticating from "../keys/AuthenticationHttp.ts"
import { noteBalance } from "../keys/AuthenticationHttp.ts"
import { isoTime } from "../text/isoTime.ts"
import { Credits } from "./Credits.ts"
import { CreditGroup } from "./CreditsApi.ts"
import { defaultPageSize } from "./LedgerPage.ts"
import { usageOf, usageText } from "./usageText.ts"

const api = apiOf(CreditGroup)

const handlers = HttpApiBuilder.group(
  api,
  "credits",
  Effect.fnUntraced(function* (handlers) {
    const credits = yield* Credits
    return handlers
      .handleRaw(
        "usage",
        Effect.fnUntraced(function* () {
          const key = yield* CurrentKey
          const account = yield* usageOf(credits, key)
          yield* noteBalance(Effect.succeed(account.balance))
          return HttpServerResponse.text(usageText(key, account), { contentType: "application/json" })
        })
      )
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
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(Layer.provide(handlers), Layer.provide(Authenticating.layer))
