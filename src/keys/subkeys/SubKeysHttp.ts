import { BigDecimal, Clock, Effect, Layer, Predicate, Redacted, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readJson } from "../../http/RequestBody.ts"
import { RequestLimits } from "../../http/limits/RequestLimits.ts"
import { apiOf } from "../../http/problems/ProblemAnswers.ts"
import { location } from "../../http/ResponseHeaders.ts"
import { decodeFields } from "../../input/decodeFields.ts"
import { InvalidInput } from "../../input/InvalidInput.ts"
import { SubKeyId } from "../../KeyId.ts"
import { CurrentKey } from "../AuthenticationApi.ts"
import * as Authenticating from "../AuthenticationHttp.ts"
import { noteBalance } from "../AuthenticationHttp.ts"
import { KeyCredits } from "../KeyCredits.ts"
import { DemoKeyProtected } from "../KeyFailures.ts"
import { readGraceHours, rotatedAnswer } from "../RotationHttp.ts"
import { Settings } from "../../Settings.ts"
import { isUsable, type SubKey } from "./SubKey.ts"
import { SubKeys, type SubKeyTerms } from "./SubKeys.ts"
import { NewSubKeyInput, pathOf, type SubKeyAnswer, SubKeyChangeInput, SubKeyGroup } from "./SubKeysApi.ts"
import { isoTime, monthOf } from "../../text/Times.ts"

/** The most sub-keys of a key that may be created in an hour: their records are never deleted. */
export const createdPerHour = 100

const api = apiOf(SubKeyGroup)

const decodeNew = decodeFields(NewSubKeyInput)
const decodeChange = decodeFields(SubKeyChangeInput)

const limitOf = (limit: BigDecimal.BigDecimal | undefined) =>
  limit === undefined ? null : BigDecimal.toNumberUnsafe(limit)

/** Decodes the changes. A limit of null removes it; elsewhere null is the same as a missing field. */
const readChange = (json: unknown): Result.Result<Partial<SubKeyTerms>, InvalidInput> =>
  Result.flatMap(decodeChange(json), ({ monthly_limit, name }) => {
    const isLimitGiven = Predicate.isObject(json) && "monthly_limit" in json
    if (name === undefined && !isLimitGiven) {
      const message = "must have name, monthly_limit or both"
      return Result.fail(new InvalidInput({ errors: [{ pointer: "", code: "required", message }] }))
    }
    return Result.succeed({
      ...(name !== undefined && { name: name.trim() }),
      ...(isLimitGiven && { monthlyLimit: limitOf(monthly_limit) })
    })
  })

/** The representation of a sub-key at a given time. */
const answerOf = (subKey: SubKey, now: number): typeof SubKeyAnswer.Type => {
  const month = monthOf(now)
  return {
    sub_key_id: subKey.id,
    name: subKey.name,
    key_prefix: subKey.secretPrefix,
    monthly_limit: subKey.monthlyLimit,
    state: isUsable(subKey) ? "usable" : "revoked",
    created_at: isoTime(subKey.createdAt),
    last_used_at: subKey.lastUsedAt === undefined ? null : isoTime(subKey.lastUsedAt),
    month,
    requests: subKey.month === month ? subKey.requests : 0
  }
}

const answer = (subKey: SubKey) => Effect.map(Clock.currentTimeMillis, (now) => answerOf(subKey, now))

const handlers = HttpApiBuilder.group(
  api,
  "sub-keys",
  Effect.fnUntraced(function* (handlers) {
    const credits = yield* KeyCredits
    const limits = yield* RequestLimits
    const subKeys = yield* SubKeys
    const { rotationsPerHour } = (yield* Settings).limits

    /**
     * The ID of the current key, with its balance set for the headers. Fails for the demo key, which has no sub-keys.
     */
    const holder = Effect.gen(function* () {
      const { id, isDemo } = yield* CurrentKey
      if (isDemo) return yield* new DemoKeyProtected()
      yield* noteBalance(credits.balance(id))
      return id
    })

    return handlers
      .handle(
        "subKeys",
        Effect.fnUntraced(function* () {
          const found = yield* subKeys.listOf(yield* holder)
          return { sub_keys: yield* Effect.forEach(found, answer) }
        })
      )
      .handleRaw(
        "createSubKey",
        Effect.fnUntraced(function* ({ request }) {
          const keyId = yield* holder
          const { monthly_limit, name } = yield* readJson(request, decodeNew)
          yield* limits.count(`sub-keys ${keyId}`, createdPerHour)
          const terms = { name: name.trim(), monthlyLimit: limitOf(monthly_limit) }
          const { secret, subKey } = yield* subKeys.create(keyId, terms)
          return HttpServerResponse.jsonUnsafe(
            { ...(yield* answer(subKey)), api_key: Redacted.value(secret) },
            { status: 201, headers: location.of(pathOf(subKey.id)) }
          )
        })
      )
      .handle(
        "subKey",
        Effect.fnUntraced(function* ({ params }) {
          return yield* answer(yield* subKeys.find(yield* holder, SubKeyId.make(params.sub_key_id)))
        })
      )
      .handleRaw(
        "changeSubKey",
        Effect.fnUntraced(function* ({ params, request }) {
          const keyId = yield* holder
          const terms = yield* readJson(request, readChange)
          const changed = yield* subKeys.change(keyId, SubKeyId.make(params.sub_key_id), terms)
          return HttpServerResponse.jsonUnsafe(yield* answer(changed))
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
          const { id } = yield* subKeys.find(keyId, SubKeyId.make(params.sub_key_id))
          yield* limits.count(`rotation ${id}`, rotationsPerHour)
          return rotatedAnswer(yield* subKeys.rotate(keyId, id, graceHours))
        })
      )
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(
  Layer.provide(handlers),
  Layer.provide([Authenticating.layer, RequestLimits.layer])
)
