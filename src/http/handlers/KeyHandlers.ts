import { BigDecimal, DateTime, Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Credits } from "../../credits/Credits.ts"
import { decodeFields } from "../../input/decodeFields.ts"
import { ApiKeys } from "../../keys/ApiKeys.ts"
import { RoutedApi } from "../api/RoutedApi.ts"
import * as Authenticating from "./authenticate.ts"
import { noteBalance } from "./authenticate.ts"
import { CurrentKey } from "../api/Authentication.ts"
import { readOptionalJson } from "./JsonBody.ts"
import { defaultGraceHours, RotationInput } from "../api/KeyApi.ts"
import { defaultPageSize } from "../api/LedgerPage.ts"

const time = (millis: number) => DateTime.formatIso(DateTime.makeUnsafe(millis))

const decodeRotation = decodeFields(RotationInput, new Map())

const handlers = HttpApiBuilder.group(
  RoutedApi,
  "keys",
  Effect.fnUntraced(function* (handlers) {
    const apiKeys = yield* ApiKeys
    const credits = yield* Credits
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
              created_at: time(createdAt)
            })),
            next_cursor: entries.length > limit ? String(page.at(-1)?.id) : null
          }
        })
      )
      .handleRaw(
        "rotate",
        Effect.fnUntraced(function* ({ request }) {
          const { id } = yield* CurrentKey
          const { grace_hours } = yield* Effect.fromResult(decodeRotation(yield* readOptionalJson(request)))
          const hours = grace_hours === undefined ? defaultGraceHours : BigDecimal.toNumberUnsafe(grace_hours)
          yield* noteBalance(credits.balance(id))
          const { oldSecretValidUntil, secret } = yield* Effect.orDie(apiKeys.rotate(id, hours))
          return { api_key: Redacted.value(secret), old_key_valid_until: time(oldSecretValidUntil) }
        })
      )
      .handle(
        "revoke",
        Effect.fnUntraced(function* () {
          const { id } = yield* CurrentKey
          yield* noteBalance(credits.balance(id))
          const { secretPrefix } = yield* Effect.orDie(apiKeys.revoke(id, "owner"))
          return { key_prefix: secretPrefix, state: "revoked" as const }
        })
      )
  })
)

export const layer = handlers.pipe(Layer.provide(Authenticating.layer))
