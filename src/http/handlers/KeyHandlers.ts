import { BigDecimal, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Credits } from "../../credits/Credits.ts"
import { decodeFields } from "../../input/decodeFields.ts"
import { InvalidInput } from "../../input/InvalidInput.ts"
import { ApiKeys } from "../../keys/ApiKeys.ts"
import { RoutedApi } from "../api/RoutedApi.ts"
import { Authentication, CurrentKey, noteBalance } from "../api/Authentication.ts"
import { readOptionalJson } from "./JsonBody.ts"
import { defaultGraceHours, defaultPageSize, largestPageSize, RotationInput } from "../api/KeyApi.ts"

const time = (millis: number) => DateTime.formatIso(DateTime.makeUnsafe(millis))

const decodeRotation = decodeFields(RotationInput, new Map())

/** A number of a query, 1 to `maximum`; none where it is not given. */
const queryNumber = (name: string, text: string | undefined, maximum: number) => {
  if (text === undefined) return Effect.succeedNone
  const value = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : NaN
  return value <= maximum
    ? Effect.succeedSome(value)
    : new InvalidInput({
        errors: [{ pointer: `/${name}`, code: "out_of_range", message: `must be a whole number from 1 to ${maximum}` }]
      })
}

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
          const cursor = yield* queryNumber("cursor", query.cursor, Number.MAX_SAFE_INTEGER)
          const limit = Option.getOrElse(
            yield* queryNumber("limit", query.limit, largestPageSize),
            () => defaultPageSize
          )
          yield* noteBalance(credits.balance(id))
          const entries = yield* credits.history(id, limit + 1, Option.getOrUndefined(cursor))
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

export const layer = handlers.pipe(Layer.provide(Authentication.layer))
