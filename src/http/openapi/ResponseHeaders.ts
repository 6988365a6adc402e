import { Predicate } from "effect"
import { type Node, nodeAt, operationsOf } from "./OpenApiDocument.ts"

/** How often an answer has a header. */
type Presence = "always" | "sometimes" | "never"

interface Header {
  readonly name: string
  readonly description: string
  readonly schema: Node
  readonly example: string | number
  /** How often the answers of an operation with this status have it. */
  readonly on: (operation: Traits, status: string) => Presence
}

interface Traits {
  /** Whether a key may be sent, and whether it may be left out. */
  readonly isSecured: boolean
  readonly isOpen: boolean
  readonly isDeprecated: boolean
  /** Whether it takes an Idempotency-Key. */
  readonly isRepeatable: boolean
  /** Whether the answer may be a page. */
  readonly isPage: boolean
}

const text = { type: "string" }

const alwaysIf = (condition: boolean): Presence => (condition ? "always" : "never")

/** An answer to a key has the balance, but for one that the key, or the service itself, stands against. */
const onBalance = ({ isOpen, isSecured }: Traits, status: string): Presence => {
  if (!isSecured || status === "401") return "never"
  return isOpen || status.startsWith("5") ? "sometimes" : "always"
}

/** What comes of a fault of the service, or while it stops, may not have come to the endpoint. */
const onDeprecated = ({ isDeprecated }: Traits, status: string): Presence => {
  if (!isDeprecated) return "never"
  return status.startsWith("5") ? "sometimes" : "always"
}

/** The headers of every answer. */
const general: ReadonlyArray<Header> = [
  {
    name: "X-Request-Id",
    description: "The id of the request: yours if it is 1 to 128 letters, digits, dots, underscores and hyphens.",
    schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" },
    example: "0199f0a2-6a5e-7c31-8f0e-2f1d3c4b5a69",
    on: () => "always"
  },
  {
    name: "Cache-Control",
    description: "No answer is to be stored: it may hold a key.",
    schema: { type: "string", enum: ["no-store"] },
    example: "no-store",
    on: () => "always"
  },
  {
    name: "X-Content-Type-Options",
    description: "The content is of the type that Content-Type says, whatever it looks like.",
    schema: { type: "string", enum: ["nosniff"] },
    example: "nosniff",
    on: () => "always"
  }
]

/** The headers that the boundary, the middleware and the pages add, for the OpenAPI document. */
const headers: ReadonlyArray<Header> = [
  ...general,
  {
    name: "RateLimit-Policy",
    description: "The credits that the key was given in all (IETF draft of RateLimit header fields).",
    schema: { type: "string", pattern: '^"credits";q=[0-9]+$' },
    example: '"credits";q=100',
    on: onBalance
  },
  {
    name: "RateLimit",
    description: "The credits that the key has left; they never refill by themselves.",
    schema: { type: "string", pattern: '^"credits";r=[0-9]+$' },
    example: '"credits";r=99',
    on: onBalance
  },
  {
    name: "WWW-Authenticate",
    description: "The scheme of authentication.",
    schema: { type: "string", enum: ["ApiKey"] },
    example: "ApiKey",
    on: (_, status) => alwaysIf(status === "401")
  },
  {
    name: "Accept",
    description: "The type of body that is taken.",
    schema: { type: "string", enum: ["application/json"] },
    example: "application/json",
    on: (_, status) => alwaysIf(status === "415")
  },
  {
    name: "Retry-After",
    description: "Seconds to wait before trying again.",
    schema: { type: "integer", minimum: 1 },
    example: 1,
    on: ({ isOpen }, status) => alwaysIf(status === "409" || status === "503" || (status === "429" && isOpen))
  },
  {
    name: "Idempotent-Replayed",
    description: "There where this answer was given before, to the first request with this Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
    on: ({ isRepeatable }, status) => (isRepeatable && status.startsWith("2") ? "sometimes" : "never")
  },
  {
    name: "Deprecation",
    description: "Since when there is a successor (RFC 9745).",
    schema: { type: "string", pattern: "^@[0-9]+$" },
    example: "@1795219200",
    on: onDeprecated
  },
  {
    name: "Link",
    description: "The successor.",
    schema: text,
    example: '</api/v1/forecast>; rel="successor-version"',
    on: onDeprecated
  },
  {
    name: "Content-Security-Policy",
    description: "What a page may load: nothing from elsewhere. Only pages have it.",
    schema: text,
    example: "default-src 'none'",
    on: ({ isPage }) => (isPage ? "sometimes" : "never")
  },
  {
    name: "Referrer-Policy",
    description: "A page tells no other site where it was opened from. Only pages have it.",
    schema: { type: "string", enum: ["no-referrer"] },
    example: "no-referrer",
    on: ({ isPage }) => (isPage ? "sometimes" : "never")
  }
]

const documented = (headers: ReadonlyArray<Header>, presence: (header: Header) => Presence) =>
  Object.fromEntries(
    headers
      .filter((header) => presence(header) !== "never")
      .map((header) => {
        const { description, example, name, schema } = header
        return [name, { description, required: presence(header) === "always", schema, example }]
      })
  )

/** The headers of an answer to what is refused before it comes to an endpoint. */
export const refusalHeaders = {
  ...documented(general, () => "always"),
  Allow: {
    description: "The methods that the path takes, where it does not take this one (405).",
    required: false,
    schema: text,
    example: "POST, OPTIONS"
  }
}

/** Adds to each response of an OpenAPI document the headers that it has. */
export const withResponseHeaders = <Spec extends object>(spec: Spec): Spec => {
  for (const { operation } of operationsOf(spec)) {
    // Each entry is a way in; the empty one is without a key.
    const waysIn = Array.isArray(operation["security"]) ? operation["security"].filter(Predicate.isObject) : []
    const traits = {
      isSecured: waysIn.some((way) => "apiKey" in way),
      isOpen: waysIn.every((way) => !("apiKey" in way)) || waysIn.some((way) => Object.keys(way).length === 0),
      isDeprecated: operation["deprecated"] === true,
      isRepeatable: JSON.stringify(operation["parameters"] ?? "").includes('"Idempotency-Key"')
    }
    for (const [status, response] of Object.entries(nodeAt(operation, "responses") ?? {})) {
      if (!Predicate.isObject(response)) continue
      const isPage = nodeAt(response, "content", "text/html") !== undefined
      response["headers"] = documented(headers, ({ on }) => on({ ...traits, isPage }, status))
    }
  }
  return spec
}
