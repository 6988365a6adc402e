import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { quantity, described } from "../input/Schemas.ts"
import { Owner } from "./ApiKey.ts"
import { usageOfNewKey, withLink } from "../http/document/OpenApiDocument.ts"
import { bodyFailures, HttpProblem, serverFailures } from "../http/problems/HttpProblems.ts"
import { KeyProblem } from "./KeysProblems.ts"

const AccessRequest = Schema.Struct(Owner.fields).annotate({
  identifier: "AccessRequest",
  description: "The person requesting a key.",
  examples: [{ name: "Ada Lovelace", email: "ada@example.com", company: "Example Ltd" }]
})

const AccessRequestAnswer = Schema.Struct({
  status: Schema.Literal("accepted").annotate({ title: "AccessRequestStatus", description: "Always accepted." }),
  message: Schema.String.annotate({ description: "The next step." })
}).annotate({
  identifier: "AccessRequestAnswer",
  description: "The request was accepted. The response is the same whether the address is known or not.",
  examples: [{ status: "accepted", message: "We have sent an email with a link to ada@example.com." }]
})

/** The token of a confirmation link. */
export const Confirmation = Schema.Struct({
  token: described(
    Schema.String,
    "The last part of the link in the email.",
    "Q7Yk3q0Zt1m0m1m2u9fJx5yW8c4b6a7d8e9f0g1h2i3"
  )
}).annotate({
  identifier: "Confirmation",
  description: "The token from a link.",
  examples: [{ token: "Q7Yk3q0Zt1m0m1m2u9fJx5yW8c4b6a7d8e9f0g1h2i3" }]
})

const RevealedKey = Schema.Struct({
  api_key: described(Schema.String, "Your API key. It is shown only this once.", "ofk_live_…"),
  credits_remaining: quantity.annotate({ description: "The credits of the key.", examples: [100] })
}).annotate({
  identifier: "RevealedKey",
  description: "A new key, which is shown only once.",
  examples: [{ api_key: "ofk_live_…", credits_remaining: 100 }]
})

const failures = [...bodyFailures, HttpProblem.RateLimited, ...serverFailures] as const

export const AccessGroup = HttpApiGroup.make("access")
  .add(
    HttpApiEndpoint.post("requestAccess", "/api/v1/access-requests", {
      payload: AccessRequest,
      success: AccessRequestAnswer.pipe(HttpApiSchema.status(202)),
      error: failures
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "requestAccess",
        summary: "Request an API key",
        description: "Sends an email with a link that shows a key. People use the page /access."
      })
    ),
    HttpApiEndpoint.post("confirmAccess", "/api/v1/access-requests/confirm", {
      payload: Confirmation,
      success: RevealedKey,
      error: [...failures, KeyProblem.LinkUnknown, KeyProblem.LinkGone]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "confirmAccess",
        summary: "Show the key behind a link",
        description:
          "Each call shows a new key and voids the previous one, until a key is used for the first time or the link is 24 " +
          "hours old.",
        transform: (operation) => withLink(operation, "200", usageOfNewKey)
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Access", description: "How to get a key by email." }))
