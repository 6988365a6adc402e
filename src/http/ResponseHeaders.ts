import type { RequestState } from "./RequestState.ts"

/** Header fields of a response, with names in lower case. */
export type HeaderFields = Readonly<Record<string, string>>

/** The documentation of a response header. */
export interface DocumentedHeader {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly example: string | number
}

/** A response header: its documentation, and how to write it. */
interface ResponseHeader<Value extends ReadonlyArray<unknown>> extends DocumentedHeader {
  /** Its name in lower case. */
  readonly field: string
  /** Its text. */
  readonly write: (...value: Value) => string
  /** The field with its text. */
  readonly of: (...value: Value) => HeaderFields
}

/** Creates a header whose text `write` formats. */
const header = <Value extends ReadonlyArray<unknown>>(
  name: string,
  described: Omit<ResponseHeader<Value>, "name" | "field" | "of">
): ResponseHeader<Value> => {
  const field = name.toLowerCase()
  return { name, field, ...described, of: (...value) => ({ [field]: described.write(...value) }) }
}

/** Creates a header with a fixed value. */
const fixed = (name: string, value: string, description: string): ResponseHeader<[]> =>
  header(name, {
    description,
    schema: { type: "string", title: name.replaceAll("-", ""), enum: [value] },
    example: value,
    write: () => value
  })

/** Writes a header whose value is text already. */
const text = (value: string) => value

const requestId = header("X-Request-Id", {
  description:
    "The ID of the request: the one you sent, if it is 1 to 128 letters, digits, dots, underscores and hyphens; otherwise a new one.",
  schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" },
  example: "0199f0a2-6a5e-7c31-8f0e-2f1d3c4b5a69",
  write: text
})

// A key, a balance and the fields of a form are only for the client.
export const cacheControl = fixed("Cache-Control", "no-store", "Responses must not be stored: they may contain a key.")

/**
 * Pages, the reference and the guide are the same for everyone: caches may keep them, and revalidate after 5 minutes.
 */
export const publicCacheControl = fixed(
  "Cache-Control",
  "public, max-age=300",
  "The response is the same for everyone, and may be stored."
)

/** A file with the hash of its content in its name never changes. */
export const immutableCacheControl = fixed(
  "Cache-Control",
  "public, max-age=31536000, immutable",
  "A file with the hash of its content in its name may be cached for a year."
)

const mayBeStored = new Set([publicCacheControl.write(), immutableCacheControl.write()])

/** The Cache-Control header of a response if it allows storing. */
export const publicFields = (headers: HeaderFields): HeaderFields => {
  const value = headers[publicCacheControl.field]
  return value !== undefined && mayBeStored.has(value) ? { [publicCacheControl.field]: value } : {}
}

export const entityTag = header("ETag", {
  description: "Identifies the content: send it as If-None-Match to get 304 while the content is the same.",
  schema: { type: "string", pattern: '^W/"[A-Za-z0-9_-]+"$' },
  example: 'W/"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"',
  write: (tag: string) => `W/"${tag}"`
})

export const vary = fixed(
  "Vary",
  "Accept-Encoding",
  "The content is compressed with brotli or gzip if the client accepts that."
)

/** A page shows in its header who is signed in, so a browser must request it again after signing in or out. */
export const pageVary = fixed("Vary", "Accept-Encoding, Cookie", "A page also depends on the session.")

const contentTypeOptions = fixed(
  "X-Content-Type-Options",
  "nosniff",
  "Browsers must not guess a type other than Content-Type."
)

const rateLimitPolicy = header("RateLimit-Policy", {
  description:
    "The total number of credits ever added to the key (IETF draft of RateLimit header fields); for a sub-key with a limit, " +
    "how many it may spend per month, as a second item too. With 429 rate_limited: how many requests a key may send per second.",
  schema: { type: "string", pattern: '^("credits";q=[0-9]+(, "sub-key";q=[0-9]+)?|"requests";q=[0-9]+;w=1)$' },
  example: '"credits";q=100',
  write: text
})

const rateLimit = header("RateLimit", {
  description:
    "The remaining credits of the key. They do not refill. For a sub-key with a limit, those that it can still spend, and " +
    "what its limit leaves in the month, which ends in t seconds. With 429 rate_limited: no requests are left, and t is the number of seconds " +
    "until there are some again.",
  schema: { type: "string", pattern: '^("credits";r=[0-9]+(, "sub-key";r=[0-9]+;t=[0-9]+)?|"requests";r=0;t=[0-9]+)$' },
  example: '"credits";r=99',
  write: text
})

/**
 * The headers with the credits that a key has left; for a sub-key with a limit also with its allowance, which is
 * renewed after `resetAfter` seconds.
 */
export const creditHeadersOf = (balance: {
  readonly granted: number
  readonly remaining: number
  readonly allowance?: { readonly limit: number; readonly remaining: number; readonly resetAfter: number }
}): HeaderFields => {
  const { allowance, granted, remaining } = balance
  const policy = allowance === undefined ? "" : `, "sub-key";q=${allowance.limit}`
  const left = allowance === undefined ? "" : `, "sub-key";r=${allowance.remaining};t=${allowance.resetAfter}`
  return {
    [rateLimitPolicy.field]: rateLimitPolicy.write(`"credits";q=${granted}${policy}`),
    [rateLimit.field]: rateLimit.write(`"credits";r=${remaining}${left}`)
  }
}

/** The headers of a refusal by the rate limit of a key: requests per second, and the seconds until more are allowed. */
export const requestRateOf = (limit: number, seconds: number): HeaderFields => ({
  ...rateLimitPolicy.of(`"requests";q=${limit};w=1`),
  ...rateLimit.of(`"requests";r=0;t=${seconds}`)
})

export const wwwAuthenticate = fixed("WWW-Authenticate", "ApiKey", "The authentication scheme.")

export const accept = header("Accept", {
  description: "The media types that are accepted.",
  schema: { type: "string" },
  example: "application/json",
  write: (types: ReadonlyArray<string>) => types.join(", ")
})

export const retryAfter = header("Retry-After", {
  description: "Seconds to wait before trying again.",
  schema: { type: "integer", minimum: 1 },
  example: 1,
  write: (seconds: number) => String(seconds)
})

export const allow = header("Allow", {
  description: "The methods that the path accepts; sent with 405.",
  schema: { type: "string" },
  example: "POST, OPTIONS",
  write: (methods: ReadonlyArray<string>) => methods.join(", ")
})

export const idempotentReplayed = fixed(
  "Idempotent-Replayed",
  "true",
  "Present if this is the stored response to the first request with this Idempotency-Key."
)

export const preferenceApplied = header("Preference-Applied", {
  description:
    "The form of the response (RFC 7240): return=minimal if it is the short one, return=representation if you asked for a form and it is the whole.",
  schema: { type: "string", title: "PreferenceApplied", enum: ["return=minimal", "return=representation"] },
  example: "return=minimal",
  write: (form: "minimal" | "representation") => `return=${form}`
})

/** The legacy endpoint has been deprecated since 2026-11-21T00:00:00Z, the day of its first release. */
const deprecatedSince = "@1795219200"
const successor = '</api/v1/forecast>; rel="successor-version"'

const deprecation = header("Deprecation", {
  description: "The date from which the endpoint is deprecated (RFC 9745).",
  schema: { type: "string", pattern: "^@[0-9]+$" },
  example: deprecatedSince,
  write: text
})

const link = header("Link", {
  description: "The successor of the endpoint.",
  schema: { type: "string" },
  example: successor,
  write: text
})

export const location = header("Location", {
  description: "The path of the new resource.",
  schema: { type: "string" },
  example: "/api/v1/sub-keys/sub_7hGk2LmQ0pRs9TvX",
  write: text
})

export const contentSecurityPolicy = header("Content-Security-Policy", {
  description: "The resources that a page may load: none from other sites. Sent only with pages.",
  schema: { type: "string" },
  example: "default-src 'none'",
  write: text
})

export const referrerPolicy = fixed(
  "Referrer-Policy",
  "no-referrer",
  "A page does not reveal its address to other sites. Sent only with pages."
)

const strictTransportSecurity = fixed(
  "Strict-Transport-Security",
  "max-age=31536000",
  "Browsers use only HTTPS for a year. Sent only with pages, if PUBLIC_URL is https."
)

/** Every documented header, by the kind of response, in the order of the document. */
export const headersOf = {
  /** Not repeated for problems, whose body has the ID. */
  every: [requestId],
  /** On every response; documented once, in the description of the API, because clients need not read them. */
  always: [cacheControl, contentTypeOptions],
  key: [rateLimitPolicy, rateLimit],
  problem: [wwwAuthenticate, accept, retryAfter, allow],
  replay: [idempotentReplayed],
  preference: [preferenceApplied],
  deprecated: [deprecation, link],
  /** On every page; also documented in the description of the API. */
  page: [contentSecurityPolicy, referrerPolicy, strictTransportSecurity],
  /** Responses at paths of their own that are not operations of the API. */
  public: [publicCacheControl, entityTag, vary]
} satisfies Record<string, ReadonlyArray<DocumentedHeader>>

/** The headers of a page, by the address of the service. */
export const pageHeaders = ({ publicUrl }: Pick<RequestState, "publicUrl">): HeaderFields =>
  publicUrl.startsWith("https:") ? strictTransportSecurity.of() : {}

/** Ends the connection after the response. */
export const closing: HeaderFields = { connection: "close" }

const everyAnswer: HeaderFields = { ...requestId.of(""), ...contentTypeOptions.of(), ...cacheControl.of() }

/**
 * The headers of every response, and those with the credits of the key once they are known, unless the key is refused;
 * `isLast` if the connection ends with it. Every request runs this: assigning to a copy is several times faster than
 * spreading.
 */
export const responseHeaders = (
  { creditHeaders, id, problem }: Pick<RequestState, "creditHeaders" | "id" | "problem">,
  isLast: boolean
): HeaderFields => {
  const fields: Record<string, string> = { ...everyAnswer }
  fields[requestId.field] = id
  if (problem?.status !== 401) Object.assign(fields, creditHeaders)
  return isLast ? { ...fields, ...closing } : fields
}

/** The headers of the legacy endpoint. */
export const deprecated: HeaderFields = { ...deprecation.of(deprecatedSince), ...link.of(successor) }
