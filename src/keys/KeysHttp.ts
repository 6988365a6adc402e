import * as Authenticating from "./AuthenticationHttp.ts"
import { Effect, Layer, BigDecimal, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiKeys, type RotatedKey } from "./ApiKeys.ts"
import { apiOf } from "../http/problems/ProblemResponses.ts"
import { CurrentKey } from "./AuthenticationApi.ts"
import { InvalidKey, DemoKeyProtected } from "./KeyFailures.ts"
import { Transaction } from "../database/Transaction.ts"
import { KeyGroup, defaultGraceHours, Rotation } from "./KeysApi.ts"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { decodeFields } from "../input/decodeFields.ts"
import { readOptionalJson } from "../http/RequestBody.ts"
import { isoTime } from "../text/Times.ts"

const decodeRotation = decodeFields(Rotation)

/** Reads the number of hours that the old secret stays valid, or the default. */
export const readGraceHours = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const { grace_hours } = yield* readOptionalJson(request, decodeRotation)
  return grace_hours === undefined ? defaultGraceHours : BigDecimal.toNumberUnsafe(grace_hours)
})

/** The response with a new secret, and the time until which the old one is valid. */
export const rotatedAnswer = ({ oldSecretValidUntil, secret }: Pick<RotatedKey, "oldSecretValidUntil" | "secret">) =>
  HttpServerResponse.jsonUnsafe({
    api_key: Redacted.value(secret),
    old_key_valid_until: isoTime(oldSecretValidUntil)
  })

const api = apiOf(KeyGroup)

const handlers = HttpApiBuilder.group(
  api,
  "keys",
  Effect.fnUntraced(function* (handlers) {
    const apiKeys = yield* ApiKeys
    const transaction = yield* Transaction
    return handlers
      .handleRaw(
        "rotate",
        Effect.fnUntraced(function* ({ request }) {
          const key = yield* CurrentKey
          // Before counting: otherwise its next request would be refused for another reason.
          if (key.isDemo) return yield* new DemoKeyProtected()
          const graceHours = yield* readGraceHours(request)
          yield* apiKeys.countRotation(key)
          // Of rotations that arrive together and end the key, one shows a new key: those of the others would have ended.
          const rotated = Effect.andThen(apiKeys.assertCurrent(key), apiKeys.rotate(key.id, graceHours))
          return rotatedAnswer(yield* transaction.run(rotated))
        })
      )
      .handle(
        "revoke",
        Effect.fnUntraced(function* () {
          const { id, subKey } = yield* CurrentKey
          const { secretPrefix } =
            subKey === undefined
              ? yield* apiKeys.revoke(id, "owner")
              : yield* Effect.flatMap(apiKeys.revokeSubKey(id, subKey.id, "owner"), Effect.fromOption).pipe(
                  Effect.mapError(() => new InvalidKey())
                )
          return { key_prefix: secretPrefix, state: "revoked" as const }
        })
      )
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(Layer.provide(handlers), Layer.provide(Authenticating.layer))
