import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { usageOfNewKey, withHeaders, withLink } from "../../http/document/OpenApiDocument.ts"
import { bodyFailures, HttpProblem, serverFailures } from "../../http/problems/HttpProblems.ts"
import { location } from "../../http/ResponseHeaders.ts"
import { count, quantity, optional, dateTime, described } from "../../input/Schemas.ts"
import { nextCursor, nextPage, pageSize } from "../../input/Paging.ts"
import { SubKeyId } from "../../KeyStatus.ts"
import { canBeSeen, visible } from "../../keys/ApiKey.ts"
import { Authentication } from "../../keys/AuthenticationApi.ts"
import { RotatedKeyAnswer, Rotation, withOptionalBody } from "../../keys/KeysApi.ts"
import { KeyProblem } from "../../keys/KeysProblems.ts"
import { foldedName, type SubKey } from "../../keys/SubKey.ts"
import { maxSubKeys } from "./SubKeys.ts"
import { SubKeyProblem } from "./SubKeysProblems.ts"

const noControls = String.raw`[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*`

/** True if something of a name is left once spaces and characters that are not shown are removed. */
const isVisibleName = (text: string) => canBeSeen(text) && foldedName(text) !== ""

const name = Schema.String.check(
  Schema.makeFilter(isVisibleName, {
    code: "invalid_format",
    message: "must not be empty",
    toJsonSchema: () => ({ minLength: 1, pattern: `^${noControls}${visible}${noControls}$` })
  }),
  Schema.makeFilter((text) => !isVisibleName(text) || !/\p{Cc}/u.test(text.trim()), {
    code: "invalid_format",
    message: "must not contain control characters",
    // The pattern above excludes them.
    toJsonSchema: () => ({})
  }),
  Schema.makeFilter((text) => !isVisibleName(text) || !/\p{Bidi_Control}/u.test(text), {
    code: "invalid_format",
    message: "must not contain characters that change the direction of text",
    // The pattern above excludes them.
    toJsonSchema: () => ({})
  }),
  Schema.makeFilter((text) => /^.{0,50}$/su.test(text.trim()), {
    code: "invalid_format",
    message: "must have at most 50 characters",
    toJsonSchema: () => ({ maxLength: 50 })
  })
).annotate({
  description:
    "The name of the sub-key: 1 to 50 characters. No two usable sub-keys of a key have names that look the same, whatever their case.",
  examples: ["CRM"]
})

const monthlyLimit = count({
  minimum: 1,
  maximum: 1_000_000_000,
  description: "The most credits that it may spend in a UTC month; no limit if null.",
  example: 200
})

export const SubKeyInput = Schema.Struct({ name, monthly_limit: optional(monthlyLimit) }).pipe(
  Schema.annotateEncoded({
    identifier: "SubKeyInput",
    description: "A new sub-key.",
    examples: [{ name: "CRM", monthly_limit: 200 }]
  })
)

export const SubKeyChange = Schema.Struct({ name: optional(name), monthly_limit: optional(monthlyLimit) }).pipe(
  Schema.annotateEncoded({
    identifier: "SubKeyChange",
    description:
      "A new name, a new limit, or both; a monthly_limit of null removes the limit. What is left out stays as it is.",
    examples: [{ monthly_limit: 500 }]
  })
)

const time = (description: string) => described(dateTime, description, "2026-11-23T08:09:59.022Z")

const example = {
  sub_key_id: "sub_7hGk2LmQ0pRs9TvX",
  name: "CRM",
  key_prefix: "ofk_live_3kTq0VbW",
  monthly_limit: 200,
  state: "usable",
  created_at: "2026-11-23T08:09:59.022Z",
  last_used_at: null,
  month: "2026-11",
  requests: 0
} as const

export const SubKeyAnswer = Schema.Struct({
  sub_key_id: described(Schema.String, "The ID of the sub-key; not a secret.", example.sub_key_id),
  name: Schema.String.annotate({ description: "The name of the sub-key.", examples: ["CRM"] }),
  key_prefix: described(Schema.String, "The first characters of its secret.", example.key_prefix),
  monthly_limit: described(
    Schema.NullOr(quantity),
    "The most credits that it may spend in a UTC month; null if there is no limit.",
    200
  ),
  state: described(
    Schema.Literals(["usable", "revoked"]).annotate({ title: "SubKeyState" }),
    "A revoked sub-key is listed for 90 days.",
    "usable"
  ),
  created_at: time("The time of its creation, in UTC."),
  last_used_at: Schema.NullOr(time("The time when it last spent a credit, in UTC; null if it never did.")),
  month: Schema.String.annotate({ description: "The current month in UTC.", examples: ["2026-11"] }),
  requests: quantity.annotate({ description: "Its successful forecasts in the month.", examples: [37] })
}).annotate({ identifier: "SubKey", description: "A sub-key.", examples: [{ ...example, requests: 37 }] })

const CreatedSubKey = Schema.Struct({
  ...SubKeyAnswer.fields,
  api_key: described(Schema.String, "The secret of the sub-key. It is shown only this once.", "ofk_live_…")
}).annotate({
  identifier: "CreatedSubKey",
  description: "A new sub-key with its secret.",
  examples: [{ ...example, api_key: "ofk_live_…" }]
})

const SubKeyList = Schema.Struct({
  sub_keys: Schema.Array(SubKeyAnswer).annotate({
    description: "Oldest first, including those revoked in the last 90 days."
  }),
  next_cursor: nextCursor(`1763885399022-${example.sub_key_id}`)
}).annotate({
  identifier: "SubKeys",
  description: "A page of the sub-keys of a key.",
  examples: [{ sub_keys: [{ ...example, requests: 37 }], next_cursor: null }]
})

/** The maximum and the default number of sub-keys on a page. */
const largestPageSize = 200
export const defaultPageSize = 100

/** The cursor of the page after a sub-key. */
export const toCursor = ({ createdAt, id }: Pick<SubKey, "createdAt" | "id">) => `${createdAt}-${id}`

/** The sub-key that a page comes after, by its cursor. */
export const fromCursor = (cursor: string): Pick<SubKey, "createdAt" | "id"> => {
  const [createdAt = "", id = ""] = cursor.split("-")
  return { createdAt: Number(createdAt), id: SubKeyId.make(id) }
}

/** The query that selects a page of the sub-keys. */
const SubKeysQuery = Schema.Struct({
  cursor: Schema.optionalKey(
    described(
      Schema.String.check(
        Schema.isPattern(/^[0-9]{1,15}-sub_[0-9A-Za-z]{16}$/u, {
          code: "invalid_format",
          message: "must be the next_cursor of a page"
        })
      ),
      "The next_cursor of the previous page.",
      `1763885399022-${example.sub_key_id}`
    )
  ),
  limit: pageSize("sub-keys", defaultPageSize, largestPageSize)
})

const SubKeyPath = Schema.Struct({
  sub_key_id: Schema.String.annotate({ description: "The ID of the sub-key.", examples: [example.sub_key_id] })
})

const failures = [KeyProblem.DemoKeyProtected, ...serverFailures] as const
// A path with an escape is refused before the sub-key is looked up.
const pathFailures = [SubKeyProblem.SubKeyNotFound, HttpProblem.NotFound] as const

const path = "/api/v1/sub-keys"

/** The path of a sub-key. */
export const pathOf = (id: string) => `${path}/${id}`

export const SubKeyGroup = HttpApiGroup.make("sub-keys")
  .add(
    HttpApiEndpoint.get("subKeys", path, {
      query: SubKeysQuery,
      success: SubKeyList,
      error: [HttpProblem.InvalidInput, ...failures]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "subKeys",
        summary: "List the sub-keys",
        description: "Oldest first, in pages. Costs no credit.",
        transform: (operation) => withLink(operation, "200", nextPage("subKeys"))
      })
    ),
    HttpApiEndpoint.post("createSubKey", path, {
      payload: SubKeyInput,
      success: CreatedSubKey.pipe(HttpApiSchema.status(201)),
      error: [
        ...bodyFailures,
        SubKeyProblem.SubKeyNameTaken,
        SubKeyProblem.TooManySubKeys,
        HttpProblem.RateLimited,
        ...failures
      ]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "createSubKey",
        summary: "Create a sub-key",
        description:
          `A secret for one program, client or colleague that draws on the balance of the key, shown once. A key has at most ` +
          `${maxSubKeys} usable ones. No response is stored: if one is lost, the name is taken, and rotating that sub-key ` +
          "shows a new secret.",
        transform: (operation) => withLink(withHeaders(operation, [location]), "201", usageOfNewKey)
      })
    ),
    HttpApiEndpoint.get("subKey", `${path}/:sub_key_id`, {
      params: SubKeyPath,
      success: SubKeyAnswer,
      error: [...pathFailures, ...failures]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "subKey",
        summary: "Get a sub-key",
        description: "Costs no credit."
      })
    ),
    HttpApiEndpoint.patch("changeSubKey", `${path}/:sub_key_id`, {
      params: SubKeyPath,
      payload: SubKeyChange,
      success: SubKeyAnswer,
      error: [...bodyFailures, ...pathFailures, SubKeyProblem.SubKeyNameTaken, HttpProblem.RateLimited, ...failures]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "changeSubKey",
        summary: "Rename or limit a sub-key",
        description: "Applies from the next request on. A revoked sub-key cannot be changed."
      })
    ),
    HttpApiEndpoint.delete("revokeSubKey", `${path}/:sub_key_id`, {
      params: SubKeyPath,
      success: HttpApiSchema.NoContent,
      error: [...pathFailures, ...failures]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "revokeSubKey",
        summary: "Revoke a sub-key",
        description:
          "It stops working for good, from the next request on. Its key and the other sub-keys are not affected."
      })
    ),
    HttpApiEndpoint.post("rotateSubKey", `${path}/:sub_key_id/rotate`, {
      params: SubKeyPath,
      payload: Rotation,
      success: RotatedKeyAnswer,
      error: [...bodyFailures, ...pathFailures, HttpProblem.RateLimited, ...failures]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "rotateSubKey",
        summary: "Replace the secret of a sub-key",
        description:
          "Shows a new secret, once; the old one stays valid for the grace period. Name, limit and usage stay the same. If the response is " +
          "lost, rotate again.",
        transform: (operation) => withLink(withOptionalBody(operation), "200", usageOfNewKey)
      })
    )
  )
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Sub-keys",
      description: "Secrets that draw on the balance of a key, each for one program, client or colleague."
    })
  )
