import type { RequestState } from "./RequestState.ts"

/** Header fields as they are written into an answer: names in lower case. */
export type HeaderFields = Readonly<Record<string, string>>

/** What the document says of a response header. */
export interface DocumentedHeader {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly example: string | number
}

/** A response header: what the document says of it, and `of`, which writes it. */
interface ResponseHeader<Value extends ReadonlyArray<unknown>> extends DocumentedHeader {
  readonly of: (...value: Value) => HeaderFields
}

/** A header whose text `write` makes of a value. */
const header = <Value extends ReadonlyArray<unknown>>(
  name: string,
  { write, ...documented }: Omit<DocumentedHeader, "name"> & { readonly write: (...value: Value) => string }
): ResponseHeader<Value> => {
  const field = name.toLowerCase()
  return { name, ...documented, of: (...value) => ({ [field]: write(...value) }) }
}

/** A header that always has the same value. */
const fixed = (name: string, value: string, description: string): ResponseHeader<[]> => {
  const fields = { [name.toLowerCase()]: value }
  return { name, description, schema: { type: "string", enum: [value] }, example: value, of: () => fields }
}

const text = (value: string) => value

const requestId = header("X-Request-Id", {
  description: "The id of the request: yours if it is 1 to 128 letters, digits, dots, underscores and hyphens.",
  schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" },
  example: "0199f0a2-6a5e-7c31-8f0e-2f1d3c4b5a69",
  write: text
})

// A key, a balance and the fields of a form are for the caller alone.
const cacheControl = fixed("Cache-Control", "no-store", "No answer is to be stored: it may hold a key.")

const contentTypeOptions = fixed(
  "X-Content-Type-Options",
  "nosniff",
  "The content is of the type that Content-Type says, whatever it looks like."
)

const rateLimitPolicy = header("RateLimit-Policy", {
  description: "The credits that the key was given in all (IETF draft of RateLimit header fields).",
  schema: { type: "string", pattern: '^"credits";q=[0-9]+$' },
  example: '"credits";q=100',
  write: (granted: number) => `"credits";q=${granted}`
})

const rateLimit = header("RateLimit", {
  description: "The credits that the key has left; they never refill by themselves.",
  schema: { type: "string", pattern: '^"credits";r=[0-9]+$' },
  example: '"credits";r=99',
  write: (remaining: number) => `"credits";r=${remaining}`
})

export const wwwAuthenticate = fixed("WWW-Authenticate", "ApiKey", "The scheme of authentication.")

export const accept = fixed("Accept", "application/json", "The type of body that is taken.")

export const retryAfter = header("Retry-After", {
  description: "Seconds to wait before trying again.",
  schema: { type: "integer", minimum: 1 },
  example: 1,
  write: (seconds: number) => String(seconds)
})

export const allow = header("Allow", {
  description: "The methods that the path takes, where it does not take this one (405).",
  schema: { type: "string" },
  example: "POST, OPTIONS",
  write: (methods: ReadonlyArray<string>) => methods.join(", ")
})

export const idempotentReplayed = fixed(
  "Idempotent-Replayed",
  "true",
  "Present where this answer was given before, to the first request with this Idempotency-Key."
)

const deprecation = header("Deprecation", {
  description: "Since when there is a successor (RFC 9745).",
  schema: { type: "string", pattern: "^@[0-9]+$" },
  example: "@1795219200",
  write: text
})

const link = header("Link", {
  description: "The successor.",
  schema: { type: "string" },
  example: '</api/v1/forecast>; rel="successor-version"',
  write: text
})

export const contentSecurityPolicy = header("Content-Security-Policy", {
  description: "What a page may load: nothing from elsewhere. Only pages have it.",
  schema: { type: "string" },
  example: "default-src 'none'",
  write: text
})

export const referrerPolicy = fixed(
  "Referrer-Policy",
  "no-referrer",
  "A page tells no other site where it was opened from. Only pages have it."
)

/** Every documented header, by the kind of answer that has it, in the order of the document. */
export const headersOf = {
  every: [requestId, cacheControl, contentTypeOptions],
  key: [rateLimitPolicy, rateLimit],
  problem: [wwwAuthenticate, accept, retryAfter, allow],
  replay: [idempotentReplayed],
  deprecated: [deprecation, link],
  page: [contentSecurityPolicy, referrerPolicy]
} satisfies Record<string, ReadonlyArray<DocumentedHeader>>

/** Ends the connection after the answer. */
export const closing: HeaderFields = { connection: "close" }

const fixedFields: HeaderFields = { ...contentTypeOptions.of(), ...cacheControl.of() }

/**
 * The headers of every answer, and of an answer to a key once its balance is known; `isLast` where the connection ends
 * with it.
 */
export const answerHeaders = (
  { balance, id }: Pick<RequestState, "balance" | "id">,
  isLast: boolean
): HeaderFields => ({
  ...requestId.of(id),
  ...fixedFields,
  ...(balance === undefined
    ? undefined
    : { ...rateLimitPolicy.of(balance.granted), ...rateLimit.of(balance.remaining) }),
  ...(isLast ? closing : undefined)
})

/** The headers of the legacy endpoint, deprecated since 2026-11-21T00:00:00Z, the day of its first release. */
export const deprecated: HeaderFields = {
  ...deprecation.of("@1795219200"),
  ...link.of('</api/v1/forecast>; rel="successor-version"')
}
