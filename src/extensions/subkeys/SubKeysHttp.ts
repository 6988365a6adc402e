import { BigDecimal, Effect, Layer, Predicate, Redacted, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readJson } from "../../http/RequestBody.ts"
import { apiOf } from "../../http/problems/ProblemResponses.ts"
import { location } from "../../http/ResponseHeaders.ts"
import { decodeFields } from "../../input/decodeFields.ts"
import type { InvalidInput } from "../../input/InvalidInput.ts"
import { SubKeyId } from "../../KeyStatus.ts"
import { CurrentKey } from "../../keys/AuthenticationApi.ts"
import * as Authenticating from "../../keys/AuthenticationHttp.ts"
import { DemoKeyProtected } from "../../keys/KeyFailures.ts"
import { readGraceHours, rotatedAnswer } from "../../keys/KeysHttp.ts"
import { isUsable, type SubKey } from "../../keys/SubKey.ts"
import { ApiKeys } from "../../keys/ApiKeys.ts"
import { SubKeys, type SubKeyTerms } from "./SubKeys.ts"
import {
  defaultPageSize,
  fromCursor,
  SubKeyInput,
  pathOf,
  type SubKeyAnswer,
  SubKeyChange,
  SubKeyGroup,
  toCursor
} from "./SubKeysApi.ts"
import { isoTime } from "../../text/Times.ts"

const api = apiOf(SubKeyGroup)

const decodeNew = decodeFields(SubKeyInput)
const decodeChange = decodeFields(SubKeyChange)

const limitOf = (limit: BigDecimal.BigDecimal | undefined) =>
  limit === undefined ? null : BigDecimal.toNumberUnsafe(limit)

/** Decodes the changes. A limit of null removes it; elsewhere null is the same as a missing field. */
const readChange = (json: unknown): Result.Result<Partial<SubKeyTerms>, InvalidInput> =>
  Result.map(decodeChange(json), ({ monthly_limit, name }) => ({
    ...(name !== undefined && { name: name.trim() }),
    ...(Predicate.isObject(json) && "monthly_limit" in json && { monthlyLimit: limitOf(monthly_limit) })
  }))

/** The representation of a sub-key. */
const answerOf = (subKey: SubKey): typeof SubKeyAnswer.Type => ({
  sub_key_id: subKey.id,
  name: subKey.name,
  key_prefix: subKey.secretPrefix,
  monthly_limit: subKey.monthlyLimit,
  state: isUsable(subKey) ? "usable" : "revoked",
  created_at: isoTime(subKey.createdAt),
  last_used_at: subKey.lastUsedAt === undefined ? null : isoTime(subKey.lastUsedAt),
  month: subKey.month,
  requests: subKey.requests
})

const handlers = HttpApiBuilder.group(
  api,
  "sub-keys",
  Effect.fnUntraced(function* (handlers) {
    const apiKeys = yield* ApiKeys
    const subKeys = yield* SubKeys

    /** The ID of the current key. Fails for the demo key, which has no sub-keys. */
    const holder = Effect.gen(function* () {
      const { id, isDemo } = yield* CurrentKey
      if (isDemo) return yield* new DemoKeyProtected()
      return id
    })

    return handlers
      .handle(
        "subKeys",
        Effect.fnUntraced(function* ({ query }) {
          const { cursor, limit = defaultPageSize } = query
          const after = cursor === undefined ? undefined : fromCursor(cursor)
          const found = yield* subKeys.listOf(yield* holder, { limit: limit + 1, after })
          const page = found.slice(0, limit)
          const last = page.at(-1)
          return {
            sub_keys: page.map(answerOf),
            next_cursor: found.length > limit && last !== undefined ? toCursor(last) : null
          }
        })
      )
      .handleRaw(
        "createSubKey",
        Effect.fnUntraced(function* ({ request }) {
          const keyId = yield* holder
          const { monthly_limit, name } = yield* readJson(request, decodeNew)
          yield* subKeys.countCreation(keyId)
          const terms = { name: name.trim(), monthlyLimit: limitOf(monthly_limit) }
          const { secret, subKey } = yield* subKeys.create(keyId, terms)
          return HttpServerResponse.jsonUnsafe(
            { ...answerOf(subKey), api_key: Redacted.value(secret) },
            { status: 201, headers: location.of(pathOf(subKey.id)) }
          )
        })
      )
      .handle(
        "subKey",
        Effect.fnUntraced(function* ({ params }) {
          return answerOf(yield* subKeys.find(yield* holder, SubKeyId.make(params.sub_key_id)))
        })
      )
      .handleRaw(
        "changeSubKey",
        Effect.fnUntraced(function* ({ params, request }) {
          const keyId = yield* holder
          const terms = yield* readJson(request, readChange)
          // Only changes of the key's own sub-keys are counted.
          const found = yield* subKeys.find(keyId, SubKeyId.make(params.sub_key_id))
          yield* subKeys.countChange(found)
          return HttpServerResponse.jsonUnsafe(answerOf(yield* subKeys.change(keyId, found.id, terms)))
        })
      )
      .handle(
        "revokeSubKey",
        Effect.fnUntraced(function* ({ params }) {
          yield* subKeys.revoke(yield* holder, SubKeyId.make(params.sub_key_id), "owner")
        })
      )
      .handleRaw(
        "rotateSubKey",
        Effect.fnUntraced(function* ({ params, request }) {
          const keyId = yield* holder
          const graceHours = yield* readGraceHours(request)
          // Only rotations of the key's own sub-keys are counted.
          const found = yield* subKeys.find(keyId, SubKeyId.make(params.sub_key_id))
          yield* apiKeys.countRotation(found)
          return rotatedAnswer(yield* subKeys.rotate(keyId, found.id, graceHours))
        })
      )
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(Layer.provide(handlers), Layer.provide(Authenticating.layer))
