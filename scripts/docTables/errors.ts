import type * as client from "../../clients/typescript/src/index.ts"
import { Problem } from "../../src/Problems.ts"
import { code } from "./Page.ts"

/** The entries that explain a code, ordered by status. */
const explained = Object.values(Problem)
  .flatMap(({ explanation, ...entry }) => (explanation === undefined ? [] : [{ ...entry, explanation }]))
  .toSorted((a, b) => a.status - b.status)

const unique = (items: ReadonlyArray<string | number>) => [...new Set(items)].join(", ")

const byRemedy = Map.groupBy(explained, ({ explanation }) => explanation.remedy)
const everyCode = [
  ["status", "code", "what to do"],
  ...[...byRemedy].map(([remedy, kinds]) => [
    unique(kinds.map(({ status }) => status)),
    kinds.map((kind) => `[${code(kind.code)}](#${kind.code})`).join(", "),
    remedy
  ])
]

const sections = explained.map(({ explanation: { whatToDo, when, why }, retryable, status, title, ...kind }) =>
  [
    `## ${kind.code}`,
    `${status} · ${title} · ${retryable ? "retryable" : "not retryable"}`,
    `**When.** ${when}`,
    `**Why.** ${why}`,
    `**What to do.** ${whatToDo}`
  ].join("\n\n")
)

/** The sections on codes are at the end of the page. */
export const withSections = (page: string): string => {
  const start = page.search(/^## [a-z_]+$/m)
  if (start === -1) throw new Error("docs/errors.md has no sections on codes")
  return `${page.slice(0, start)}${sections.join("\n\n")}\n`
}

type Exports = typeof client
/** The errors of the clients; `ApiError` is another name of `APIError`. */
type ClientError = Exclude<
  {
    [Name in keyof Exports]: Exports[Name] extends { readonly prototype: client.OutreachForecastError } ? Name : never
  }[keyof Exports],
  "ApiError"
>

/** Each error of the clients, and when it is raised. */
export const clientErrors: { readonly [name in ClientError]: string } = {
  OutreachForecastError: "any of these",
  APIError: "any error response; the five below are subclasses",
  BadRequestError: "400: `errors` lists what is wrong",
  AuthenticationError: "401: the key is missing, unknown or revoked",
  PermissionDeniedError: "403: the key may not do this, such as when its plan is inactive",
  RateLimitError: "429: too many requests, or a sub-key has reached its limit",
  UsageExhaustedError: "429: no credits are left",
  APIConnectionError: "there was no response, or it was cut off; in Python also a `ConnectionError`",
  APITimeoutError: "the call took longer than its `timeout`; in Python also a `TimeoutError`",
  InvalidResponseError: "the response cannot be from the service: not JSON, or larger than 8 MiB",
  InvalidArgumentError: "an invalid setting or number; in Python also a `ValueError`"
}

export const errors = [
  everyCode,
  [["error", "when"], ...Object.entries(clientErrors).map(([name, when]) => [code(name), when])]
]
