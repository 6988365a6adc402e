import { Predicate } from "effect"
import { nodeAt, operationsOf } from "./OpenApiDocument.ts"

interface Header {
  readonly name: string
  readonly description: string
  readonly example: string
  /** Whether the answers of an operation with this status have it. */
  readonly isOn: (operation: Traits, status: string) => boolean
}

interface Traits {
  /** Whether a key may be sent, and whether it may be left out. */
  readonly isSecured: boolean
  readonly isOpen: boolean
  readonly isDeprecated: boolean
  /** Whether it takes an Idempotency-Key. */
  readonly isRepeatable: boolean
}

const requestId: Header = {
  name: "X-Request-Id",
  description: "The id of the request: yours if it is 1 to 128 letters, digits, dots, underscores and hyphens.",
  example: "0199f0a2-6a5e-7c31-8f0e-2f1d3c4b5a69",
  isOn: () => true
}

/** The headers that the boundary and the middleware add, for the OpenAPI document. */
const headers: ReadonlyArray<Header> = [
  requestId,
  {
    name: "Cache-Control",
    description: "No answer is to be stored: it may hold a key.",
    example: "no-store",
    isOn: () => true
  },
  {
    name: "RateLimit-Policy",
    description: "The credits that the key was given in all (IETF draft of RateLimit header fields).",
    example: '"credits";q=100',
    isOn: ({ isSecured }, status) => isSecured && !["401", "500", "503"].includes(status)
  },
  {
    name: "RateLimit",
    description: "The credits that the key has left; they never refill by themselves.",
    example: '"credits";r=99',
    isOn: ({ isSecured }, status) => isSecured && !["401", "500", "503"].includes(status)
  },
  {
    name: "WWW-Authenticate",
    description: "The scheme of authentication.",
    example: "ApiKey",
    isOn: (_, status) => status === "401"
  },
  {
    name: "Accept",
    description: "The type of body that is taken.",
    example: "application/json",
    isOn: (_, status) => status === "415"
  },
  {
    name: "Retry-After",
    description: "Seconds to wait before trying again.",
    example: "1",
    isOn: ({ isOpen }, status) => status === "409" || status === "503" || (status === "429" && isOpen)
  },
  {
    name: "Idempotent-Replayed",
    description: "Whether this answer was given before, to the first request with this Idempotency-Key.",
    example: "true",
    isOn: ({ isRepeatable }, status) => isRepeatable && status.startsWith("2")
  },
  {
    name: "Deprecation",
    description: "Since when there is a successor (RFC 9745).",
    example: "@1795219200",
    isOn: ({ isDeprecated }) => isDeprecated
  },
  {
    name: "Link",
    description: "The successor.",
    example: '</api/v1/forecast>; rel="successor-version"',
    isOn: ({ isDeprecated }) => isDeprecated
  }
]

const documented = (headers: ReadonlyArray<Header>) =>
  Object.fromEntries(
    headers.map(({ description, example, name }) => [name, { description, schema: { type: "string" }, example }])
  )

/** The headers of an answer to what is refused before it is a request. */
export const refusalHeaders = documented([requestId])

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
      response["headers"] = documented(headers.filter(({ isOn }) => isOn(traits, status)))
    }
  }
  return spec
}
