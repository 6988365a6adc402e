import { Effect, Schema, SchemaTransformation } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import { UsageExhausted } from "../../credits/Credits.ts"
import { IdempotencyInProgress, IdempotencyMismatch } from "../../credits/Idempotency.ts"
import { Overloaded } from "../../database/Batched.ts"
import { FieldError, InvalidInput, MalformedJson } from "../../input/InvalidInput.ts"
import { LinkGone, LinkUnknown } from "../../keys/LinkFailures.ts"
import { KeyId } from "../../keys/KeyId.ts"
import { InvalidKey, KeyRevoked, MissingKey, PlanInactive } from "../../keys/KeyFailures.ts"
import {
  type HeadersTooLarge,
  Internal,
  type MalformedRequest,
  type MethodNotAllowed,
  NotFound,
  PayloadTooLarge,
  RateLimited,
  type RequestTimeout,
  Unavailable,
  UnsupportedMediaType
} from "./HttpFailures.ts"
import { DemoKeyRefused, type InvalidSignature, PaymentsUnavailable } from "../../orders/OrderFailures.ts"
import { CurrentRequest, type RequestState } from "../RequestState.ts"

/** Every failure that an answer can be made of. */
export type Failure =
  | InvalidInput
  | MalformedJson
  | MissingKey
  | InvalidKey
  | KeyRevoked
  | PlanInactive
  | UsageExhausted
  | IdempotencyInProgress
  | IdempotencyMismatch
  | Overloaded
  | LinkUnknown
  | LinkGone
  | DemoKeyRefused
  | PaymentsUnavailable
  | InvalidSignature
  | RateLimited
  | NotFound
  | MethodNotAllowed
  | PayloadTooLarge
  | UnsupportedMediaType
  | MalformedRequest
  | RequestTimeout
  | HeadersTooLarge
  | Unavailable
  | Internal

type Tag = Failure["_tag"]
type FailureOf<T extends Tag> = Extract<Failure, { readonly _tag: T }>

interface Problem<F> {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly retryable: boolean
  readonly detail: (failure: F) => string
  readonly errors?: (failure: F) => ReadonlyArray<FieldError>
  readonly headers?: (failure: F) => Readonly<Record<string, string>>
}

const retryAfterASecond = () => ({ "retry-after": "1" })

const authenticate = () => ({ "www-authenticate": "ApiKey" })

/** What a link that does not reveal any more says of itself. */
export const whyLinkIsGone: { readonly [reason in LinkGone["reason"]]: string } = {
  expired: "This link is older than 24 hours.",
  replaced: "A newer link was sent after this one.",
  used: "The key that this link has shown is in use.",
  revoked: "The key of this link was revoked."
}

/** What is wrong with a message that is not the payment provider's. */
const whyNotSigned: { readonly [reason in InvalidSignature["reason"]]: string } = {
  missing: "The message has no Stripe-Signature header.",
  mismatch: "The signature is not by the configured secret. Compare STRIPE_WEBHOOK_SECRET with the webhook's.",
  too_old: "The signature is older than 5 minutes. Check the clock of this machine."
}

/** The one table from failure to answer. */
const problems: { readonly [T in Tag]: Problem<FailureOf<T>> } = {
  InvalidInput: {
    status: 400,
    code: "invalid_input",
    title: "Invalid input",
    retryable: false,
    detail: ({ errors }) =>
      `Correct the request: ${errors
        .slice(0, 5)
        .map(({ message, pointer }) => `${pointer || "the body"} ${message}`)
        .join("; ")}${errors.length > 5 ? `; and ${errors.length - 5} more` : ""}`,
    errors: ({ errors }) => errors
  },
  MalformedJson: {
    status: 400,
    code: "malformed_json",
    title: "Malformed JSON",
    retryable: false,
    detail: ({ reason }) => `The request body is no JSON text. ${reason}.`
  },
  MalformedRequest: {
    status: 400,
    code: "malformed_request",
    title: "Malformed request",
    retryable: false,
    detail: () => "The message is no HTTP/1.1 request that can be read."
  },
  InvalidSignature: {
    status: 400,
    code: "invalid_signature",
    title: "Invalid signature",
    retryable: false,
    detail: ({ reason }) => whyNotSigned[reason]
  },
  MissingKey: {
    status: 401,
    code: "missing_key",
    title: "Missing API key",
    retryable: false,
    detail: () => "Send your API key in the x-api-key header.",
    headers: authenticate
  },
  InvalidKey: {
    status: 401,
    code: "invalid_key",
    title: "Invalid API key",
    retryable: false,
    detail: () => "This API key is not known here. Check that it is complete and belongs to this environment.",
    headers: authenticate
  },
  KeyRevoked: {
    status: 401,
    code: "key_revoked",
    title: "API key revoked",
    retryable: false,
    detail: () => "This API key was revoked and cannot be used any more. Use another key.",
    headers: authenticate
  },
  PlanInactive: {
    status: 403,
    code: "plan_inactive",
    title: "API plan inactive",
    retryable: false,
    detail: () => "The plan of this API key is inactive. Ask the operator of the service to activate it."
  },
  DemoKeyRefused: {
    status: 403,
    code: "demo_key",
    title: "Demo key",
    retryable: false,
    detail: () =>
      "The demo key cannot buy credits. Order with a key of your own, or without one with name, email and company."
  },
  NotFound: {
    status: 404,
    code: "not_found",
    title: "Not found",
    retryable: false,
    detail: () => "Nothing is at this path. GET /openapi.json lists what there is."
  },
  LinkUnknown: {
    status: 404,
    code: "link_unknown",
    title: "Link unknown",
    retryable: false,
    detail: () => "This link is not known. Check that it is complete, or ask for a new mail."
  },
  LinkGone: {
    status: 410,
    code: "link_gone",
    title: "Link gone",
    retryable: false,
    detail: ({ reason }) => `${whyLinkIsGone[reason]} Ask for a new mail.`
  },
  RateLimited: {
    status: 429,
    code: "rate_limited",
    title: "Rate limited",
    retryable: true,
    detail: ({ retryAfter }) => `Too many requests. Try again in ${retryAfter} seconds.`,
    headers: ({ retryAfter }) => ({ "retry-after": String(retryAfter) })
  },
  MethodNotAllowed: {
    status: 405,
    code: "method_not_allowed",
    title: "Method not allowed",
    retryable: false,
    detail: ({ allowed }) => `This path takes ${allowed.join(", ")} only.`,
    headers: ({ allowed }) => ({ allow: allowed.join(", ") })
  },
  RequestTimeout: {
    status: 408,
    code: "request_timeout",
    title: "Request timeout",
    retryable: true,
    detail: () => "The request did not arrive in time. Send it again."
  },
  IdempotencyInProgress: {
    status: 409,
    code: "idempotency_in_progress",
    title: "Idempotent request in progress",
    retryable: true,
    detail: () => "The first request with this Idempotency-Key is not answered yet. Send it again in a moment.",
    headers: retryAfterASecond
  },
  PayloadTooLarge: {
    status: 413,
    code: "payload_too_large",
    title: "Payload too large",
    retryable: false,
    detail: ({ limit }) => `The request body is larger than ${limit} KiB.`,
    headers: () => ({ connection: "close" })
  },
  UnsupportedMediaType: {
    status: 415,
    code: "unsupported_media_type",
    title: "Unsupported media type",
    retryable: false,
    detail: () => "Send the body as UTF-8 JSON, uncompressed, with Content-Type: application/json.",
    headers: () => ({ accept: "application/json" })
  },
  IdempotencyMismatch: {
    status: 422,
    code: "idempotency_mismatch",
    title: "Idempotency key reused",
    retryable: false,
    detail: () => "This Idempotency-Key was sent before with another request. Choose a new one for each request."
  },
  UsageExhausted: {
    status: 429,
    code: "usage_exhausted",
    title: "Usage exhausted",
    retryable: false,
    detail: () => "This key has no forecast credits left. Buy a credit pack to go on."
  },
  HeadersTooLarge: {
    status: 431,
    code: "headers_too_large",
    title: "Request headers too large",
    retryable: false,
    detail: () => "The request headers are larger than 16 KiB."
  },
  Internal: {
    status: 500,
    code: "internal",
    title: "Internal error",
    retryable: true,
    detail: () => "The service failed to answer. Try again, and if it stays so tell the operator the request id."
  },
  Unavailable: {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: () => "The service cannot answer for now. Try again in a moment.",
    headers: retryAfterASecond
  },
  Overloaded: {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: () => "More requests are waiting than can be answered in good time. Try again in a moment.",
    headers: retryAfterASecond
  },
  PaymentsUnavailable: {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: () => "Payments cannot be taken for now, and nothing was ordered. Try again in a minute.",
    headers: () => ({ "retry-after": "60" })
  }
}

/** What is always the same about a code: the page that explains the codes is held to it. */
export interface ProblemKind {
  readonly status: number
  readonly title: string
  readonly retryable: boolean
}

/** Every code that a problem can have. */
export const problemKinds: ReadonlyMap<string, ProblemKind> = new Map(
  Object.values(problems).map(({ code, retryable, status, title }) => [code, { status, title, retryable }])
)

const problemFields = <Status extends Schema.Top, Code extends Schema.Top>(status: Status, code: Code) => ({
  type: Schema.String.annotate({ description: "Where the problem is explained.", format: "uri" }),
  title: Schema.String.annotate({ description: "The kind of problem." }),
  status: status.annotate({ description: "The HTTP status of the answer." }),
  detail: Schema.String.annotate({ description: "What happened and what to do about it." }),
  code: code.annotate({ description: "Stable code for programs." }),
  message: Schema.String.annotate({ description: "The same text as detail." }),
  retryable: Schema.Boolean.annotate({
    description: "Whether the same request may succeed later without anything being changed."
  }),
  request_id: Schema.String.annotate({ description: "The id of the request, as in X-Request-Id." })
})

const fieldErrors = Schema.Array(FieldError)

/** The document of a problem; the status and the code are always the same for a kind of failure. */
interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly request_id: string
  readonly errors?: ReadonlyArray<FieldError>
}

const exampleRequest = {
  id: "0199f0a2-6a5e-7c31-8f0e-2f1d3c4b5a69",
  publicUrl: "https://forecast.example"
}

const contentType = "application/problem+json"

const bodyOf = <T extends Tag>(
  tag: T,
  failure: FailureOf<T>,
  request: Pick<RequestState, "id" | "publicUrl">
): ProblemDocument => {
  const { code, detail: describe, errors, retryable, status, title } = problems[tag]
  const detail = describe(failure)
  const body = {
    type: `${request.publicUrl}/docs/errors#${code}`,
    title,
    status,
    detail,
    code,
    message: detail,
    retryable,
    request_id: request.id
  }
  return errors === undefined ? body : { ...body, errors: errors(failure) }
}

/** The status, headers and problem document that a failure is answered with. */
export const toProblem = <T extends Tag>(
  failure: FailureOf<T> & { readonly _tag: T },
  request: Pick<RequestState, "id" | "publicUrl">
) => {
  const { headers, status } = problems[failure._tag]
  return { status, contentType, headers: headers?.(failure) ?? {}, body: bodyOf(failure._tag, failure, request) }
}

/** The answer to a failure. */
export const toResponse = <T extends Tag>(
  failure: FailureOf<T> & { readonly _tag: T },
  request: RequestState
): HttpServerResponse.HttpServerResponse => {
  const { body, ...options } = toProblem<T>(failure, request)
  return HttpServerResponse.jsonUnsafe(body, options)
}

/** How an endpoint declares a failure that it can give: the failure inside, its problem document outside. */
const declare = <T extends Tag, S extends Schema.Codec<FailureOf<T>, unknown>>(
  tag: T,
  failure: S,
  example: S["Type"],
  decode: (errors: ReadonlyArray<FieldError>) => S["Type"] = () => example
) => {
  const { code, errors, headers, status, title } = problems[tag]
  const fields = problemFields(Schema.Literal(status), Schema.Literal(code))
  const document: Schema.Codec<ProblemDocument> =
    errors === undefined
      ? Schema.Struct(fields)
      : Schema.Struct({
          ...fields,
          errors: fieldErrors.annotate({ description: "Everything that is wrong with the request." })
        })
  return document
    .annotate({
      identifier: `${tag}Problem`,
      description: `${title} (\`${code}\`).`,
      examples: [bodyOf(tag, example, exampleRequest)]
    })
    .pipe(
      Schema.decodeTo(
        Schema.toType(failure),
        SchemaTransformation.transformEffect({
          decode: ({ errors = [] }) => Effect.succeed(decode(errors)),
          encode: (failure) =>
            Effect.map(CurrentRequest, (request) => {
              // An endpoint declares one set of headers a status; 401 stands for three failures.
              request.problemHeaders = headers?.(failure)
              return bodyOf(tag, failure, request)
            })
        })
      ),
      Schema.annotate({ description: `${title} (\`${code}\`)` }),
      HttpApiSchema.asJson({ contentType }),
      HttpApiSchema.status(status)
    )
}

export const InvalidInputProblem = declare(
  "InvalidInput",
  InvalidInput,
  new InvalidInput({ errors: [{ pointer: "/reply_rate", message: "must be at most 100", code: "out_of_range" }] }),
  (errors) => new InvalidInput({ errors })
)
export const MalformedJsonProblem = declare(
  "MalformedJson",
  MalformedJson,
  new MalformedJson({ reason: "JSON value expected but reached end of input at position 0" })
)
export const MissingKeyProblem = declare("MissingKey", MissingKey, new MissingKey())
export const InvalidKeyProblem = declare("InvalidKey", InvalidKey, new InvalidKey())
export const KeyRevokedProblem = declare("KeyRevoked", KeyRevoked, new KeyRevoked({ prefix: "ofk_live_4fQz81Lk" }))
export const PlanInactiveProblem = declare(
  "PlanInactive",
  PlanInactive,
  new PlanInactive({ keyId: KeyId.make("key_3kTq0VbW9sXhY2Lm"), prefix: "ofk_live_4fQz81Lk" })
)
export const PayloadTooLargeProblem = declare("PayloadTooLarge", PayloadTooLarge, new PayloadTooLarge({ limit: 16 }))
export const UnsupportedMediaTypeProblem = declare(
  "UnsupportedMediaType",
  UnsupportedMediaType,
  new UnsupportedMediaType()
)
export const UsageExhaustedProblem = declare("UsageExhausted", UsageExhausted, new UsageExhausted())
export const IdempotencyInProgressProblem = declare(
  "IdempotencyInProgress",
  IdempotencyInProgress,
  new IdempotencyInProgress()
)
export const IdempotencyMismatchProblem = declare("IdempotencyMismatch", IdempotencyMismatch, new IdempotencyMismatch())
export const OverloadedProblem = declare("Overloaded", Overloaded, new Overloaded())
export const LinkUnknownProblem = declare("LinkUnknown", LinkUnknown, new LinkUnknown())
export const LinkGoneProblem = declare("LinkGone", LinkGone, new LinkGone({ reason: "expired" }))
export const RateLimitedProblem = declare("RateLimited", RateLimited, new RateLimited({ retryAfter: 1200 }))
export const InternalProblem = declare("Internal", Internal, new Internal())
export const DemoKeyRefusedProblem = declare("DemoKeyRefused", DemoKeyRefused, new DemoKeyRefused())
export const PaymentsUnavailableProblem = declare("PaymentsUnavailable", PaymentsUnavailable, new PaymentsUnavailable())
export const UnavailableProblem = declare("Unavailable", Unavailable, new Unavailable())

/** The form of every problem with every code, for whoever reads an answer without knowing which it is. */
export const AnyProblem = Schema.Struct({
  ...problemFields(Schema.Int, Schema.Literals([...problemKinds.keys()])),
  errors: Schema.optionalKey(
    fieldErrors.annotate({ description: "Everything that is wrong with the request (invalid_input only)." })
  )
}).annotate({
  identifier: "Problem",
  description: "What every answer that is not 2xx says (RFC 9457).",
  examples: [bodyOf("NotFound", new NotFound(), exampleRequest)]
})

const statusOf = (code: string) => `\`${code}\` (${problemKinds.get(code)?.status})`

/** What any request can be refused with, whatever it asks for. */
export const anyRefusal =
  `Refused before it was a request: ${["malformed_request", "request_timeout", "headers_too_large"].map(statusOf).join(", ")}. ` +
  `At a path that is not here: ${statusOf("not_found")}. With another method: ${statusOf("method_not_allowed")}.`
