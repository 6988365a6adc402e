import { Predicate, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { count, quantity } from "../input/Numbers.ts"
import { requestSchema } from "../input/requestSchema.ts"
import { KeyState, Plan } from "./ApiKey.ts"
import { usageOfNewKey, withLink } from "../http/document/LinkDocument.ts"
import { withQuery } from "../http/document/QueryDocument.ts"
import { Authentication } from "./AuthenticationApi.ts"
import { LedgerPage, LedgerQuery } from "../credits/LedgerPage.ts"
import { HttpProblem } from "../http/problems/HttpProblems.ts"
import { KeyProblem } from "./KeysProblems.ts"

export const KeyUsage = Schema.Struct({
  key_prefix: Schema.String.annotate({
    description: "The first characters of the key.",
    examples: ["ofk_live_4fQz81Lk"]
  }),
  state: KeyState.annotate({ description: "The state of the key.", examples: ["usable"] }),
  plan: Plan.annotate({ description: "Whether the key may be used.", examples: ["active"] }),
  credits_remaining: quantity.annotate({ description: "Credits left; they never expire.", examples: [97] }),
  credits_granted: quantity.annotate({ description: "All credits that the key was ever given.", examples: [100] }),
  month: Schema.String.annotate({ description: "The current month in UTC.", examples: ["2026-11"] }),
  requests: quantity.annotate({ description: "Successful forecasts in the month.", examples: [2] }),
  requests_by_month: Schema.Array(
    Schema.Struct({
      month: Schema.String.annotate({ description: "A month in UTC.", examples: ["2026-11"] }),
      requests: quantity.annotate({ description: "Successful forecasts in it.", examples: [2] })
    })
  ).annotate({
    description: "Successful forecasts by month, newest first.",
    examples: [[{ month: "2026-11", requests: 3 }]]
  })
}).annotate({
  identifier: "KeyUsage",
  description: "What a key has used and has left.",
  examples: [
    {
      key_prefix: "ofk_live_4fQz81Lk",
      state: "usable",
      plan: "active",
      credits_remaining: 97,
      credits_granted: 100,
      month: "2026-11",
      requests: 3,
      requests_by_month: [{ month: "2026-11", requests: 3 }]
    }
  ]
})

/** For how many hours an old key is valid where the caller does not say. */
export const defaultGraceHours = 24

const graceHours = count({
  minimum: 0,
  maximum: 72,
  description: `How many hours the old key stays valid, 0 to 72, with an Idempotency-Key at least 1; ${defaultGraceHours} if left out.`,
  example: 24
})

/** How a key is replaced, with exact numbers. */
export const RotationInput = Schema.Struct({ grace_hours: Schema.optionalKey(graceHours) })

const Rotation = requestSchema(RotationInput).annotate({
  identifier: "Rotation",
  description: "How a key is replaced. The body may be left out.",
  examples: [{ grace_hours: 24 }]
})

export const RotatedKeyAnswer = Schema.Struct({
  api_key: Schema.String.annotate({
    description: "The new key. It is shown only this once.",
    examples: ["ofk_live_…"]
  }),
  old_key_valid_until: Schema.String.annotate({
    description: "When the old key stops working, in UTC.",
    format: "date-time",
    examples: ["2026-11-22T08:09:59.022Z"]
  })
}).annotate({
  identifier: "RotatedKey",
  description: "A new key in place of the one that was sent.",
  examples: [{ api_key: "ofk_live_…", old_key_valid_until: "2026-11-22T08:09:59.022Z" }]
})

const RevokedKeyAnswer = Schema.Struct({
  key_prefix: Schema.String.annotate({
    description: "The first characters of the key.",
    examples: ["ofk_live_4fQz81Lk"]
  }),
  state: Schema.Literal("revoked").annotate({ description: "Always revoked." })
}).annotate({
  identifier: "RevokedKey",
  description: "The key is permanently revoked.",
  examples: [{ key_prefix: "ofk_live_4fQz81Lk", state: "revoked" }]
})

/** The document of an operation whose body may be left out. */
const withOptionalBody = (operation: Record<string, unknown>) => {
  const body = operation["requestBody"]
  return { ...operation, requestBody: { ...(Predicate.isObject(body) ? body : {}), required: false } }
}

const nextPage = {
  operationId: "ledger",
  description: "The page after this one, unless next_cursor is null.",
  parameters: { cursor: "$response.body#/next_cursor" }
}

const failures = [HttpProblem.Internal, HttpProblem.Unavailable] as const

export const KeyGroup = HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.get("usage", "/api/v1/usage", { success: KeyUsage, error: failures }).annotateMerge(
      OpenApi.annotations({
        identifier: "usage",
        summary: "What the key has used and has left",
        description: "Costs no credit."
      })
    ),
    HttpApiEndpoint.get("ledger", "/api/v1/credits/ledger", {
      query: LedgerQuery,
      success: LedgerPage,
      error: [HttpProblem.InvalidInput, ...failures]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "ledger",
        summary: "Every change of the key's credits",
        description: "Newest first, in pages. Costs no credit.",
        transform: (operation) => withLink(withQuery(LedgerQuery)(operation), "200", nextPage)
      })
    ),
    HttpApiEndpoint.post("rotate", "/api/v1/keys/rotate", {
      payload: Rotation,
      success: RotatedKeyAnswer,
      error: [
        HttpProblem.InvalidInput,
        HttpProblem.MalformedJson,
        KeyProblem.DemoKeyProtected,
        HttpProblem.PayloadTooLarge,
        HttpProblem.UnsupportedMediaType,
        HttpProblem.RateLimited,
        ...failures
      ]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "rotate",
        summary: "Replace the key",
        description:
          "Shows a new key, once. Its record, credits and ledger stay. The old key stays valid for a while. No response is " +
          "stored: if one is lost, rotate again with the old key or, with grace_hours 0, request an email with a link " +
          "that replaces the key.",
        transform: (operation) => withLink(withOptionalBody(operation), "200", usageOfNewKey)
      })
    ),
    HttpApiEndpoint.post("revoke", "/api/v1/keys/revoke", {
      success: RevokedKeyAnswer,
      error: [KeyProblem.DemoKeyProtected, ...failures]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "revoke",
        summary: "Revoke the key",
        description: "The key stops working for good, from the next request on."
      })
    )
  )
  .middleware(Authentication)
  .annotateMerge(OpenApi.annotations({ title: "Keys", description: "What the owner of a key can do with it." }))
