import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiKeys } from "./ApiKeys.ts"
import { SubKeys } from "./subkeys/SubKeys.ts"
import { apiOf } from "../http/problems/ProblemResponses.ts"
import * as Authenticating from "./AuthenticationHttp.ts"
import { CurrentKey } from "./AuthenticationApi.ts"
import { Limits } from "../Limits.ts"
import { InvalidKey } from "./KeyFailures.ts"
import { KeyGroup } from "./KeysApi.ts"
import { makeRotate } from "./RotationHttp.ts"

const api = apiOf(KeyGroup)

const handlers = HttpApiBuilder.group(
  api,
  "keys",
  Effect.fnUntraced(function* (handlers) {
    const apiKeys = yield* ApiKeys
    const subKeys = yield* SubKeys
    const rotate = yield* makeRotate
    return handlers
      .handleRaw(
        "rotate",
        Effect.fnUntraced(function* ({ request }) {
          return yield* rotate(request, yield* CurrentKey)
        })
      )
      .handle(
        "revoke",
        Effect.fnUntraced(function* () {
          const { id, subKey } = yield* CurrentKey
          const { secretPrefix } =
            subKey === undefined
              ? yield* apiKeys.revoke(id, "owner")
              : yield* Effect.mapError(subKeys.revoke(id, subKey.id, "owner"), () => new InvalidKey())
          return { key_prefix: secretPrefix, state: "revoked" as const }
        })
      )
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(
  Layer.provide(handlers),
  Layer.provide([Authenticating.layer, Limits.layer])
)
