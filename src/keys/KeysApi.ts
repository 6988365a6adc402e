import { Predicate, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { count, optional, dateTime, described } from "../input/Schemas.ts"
import { usageOfNewKey, withLink } from "../http/document/OpenApiDocument.ts"
import { Authentication, SubKeyAuthentication } from "./AuthenticationApi.ts"
import { bodyFailures, HttpProblem, serverFailures } from "../http/problems/HttpProblems.ts"
import { KeyProblem } from "./KeysProblems.ts"

/** The default for how many hours an old key stays valid. */
export const defaultGraceHours = 24

const graceHours = count({
  minimum: 0,
  maximum: 72,
  description: `The number of hours that the old key stays valid, 0 to 72; ${defaultGraceHours} by default.`,
  example: 24
})

/** The options for replacing a key. */
export const Rotation = Schema.Struct({ grace_hours: optional(graceHours) }).pipe(
  Schema.annotateEncoded({
    identifier: "Rotation",
    description: "Options for replacing a key. The body is optional.",
    examples: [{ grace_hours: 24 }]
  })
)

export const RotatedKeyAnswer = Schema.Struct({
  api_key: described(Schema.String, "The new key. It is shown only this once.", "ofk_live_…"),
  old_key_valid_until: described(
    dateTime,
    "The time when the old key stops working, in UTC.",
    "2026-11-22T08:09:59.022Z"
  )
}).annotate({
  identifier: "RotatedKey",
  description: "A new key that replaces the one in the request.",
  examples: [{ api_key: "ofk_live_…", old_key_valid_until: "2026-11-22T08:09:59.022Z" }]
})

const RevokedKeyAnswer = Schema.Struct({
  key_prefix: described(Schema.String, "The first characters of the key.", "ofk_live_4fQz81Lk"),
  state: Schema.Literal("revoked").annotate({ title: "RevokedState", description: "Always revoked." })
}).annotate({
  identifier: "RevokedKey",
  description: "The key is permanently revoked.",
  examples: [{ key_prefix: "ofk_live_4fQz81Lk", state: "revoked" }]
})

/** Documents that the body of an operation is optional. */
export const withOptionalBody = (operation: Record<string, unknown>) => {
  const body = operation["requestBody"]
  return { ...operation, requestBody: { ...(Predicate.isObject(body) ? body : {}), required: false } }
}

export const KeyGroup = HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.post("rotate", "/api/v1/keys/rotate", {
      payload: Rotation,
      success: RotatedKeyAnswer,
      error: [KeyProblem.DemoKeyProtected, ...bodyFailures, HttpProblem.RateLimited, ...serverFailures]
    })
      .middleware(Authentication)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "rotate",
          summary: "Replace the key",
          description:
            "Shows a new key, once. Its record, credits, ledger and sub-keys stay the same. The old key stays valid for the grace period. No " +
            "response is stored: if one is lost, rotate again with the old key or, with grace_hours 0, request an email " +
            "with a link that replaces the key.",
          transform: (operation) => withLink(withOptionalBody(operation), "200", usageOfNewKey)
        })
      ),
    HttpApiEndpoint.post("revoke", "/api/v1/keys/revoke", {
      success: RevokedKeyAnswer,
      error: [KeyProblem.DemoKeyProtected, ...serverFailures]
    })
      .middleware(SubKeyAuthentication)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "revoke",
          summary: "Revoke the key",
          description:
            "The key stops working for good, from the next request on, and so do its sub-keys. Sent with a sub-key, only that " +
            "sub-key is revoked."
        })
      )
  )
  .annotateMerge(OpenApi.annotations({ title: "Keys", description: "Operations of the owner of a key." }))
