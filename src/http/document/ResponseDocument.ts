import { Predicate } from "effect"
import type { ProblemAnswer } from "../problems/problem.ts"
import { problemType } from "../problems/ProblemDocument.ts"
import { refusalProblems } from "../problems/RefusalProblems.ts"
import { type DocumentedHeader, type HeaderFields, headersOf } from "../ResponseHeaders.ts"
import { type Node, nodeAt, operationsOf } from "./OpenApiDocument.ts"

/** How often a response has a header. */
type Presence = "always" | "sometimes" | "never"

/** The traits of an operation that decide the headers of its responses. */
interface Traits {
  /** True if it accepts a key; `isOpen` if the key is optional. */
  readonly isSecured: boolean
  readonly isOpen: boolean
  readonly isDeprecated: boolean
  /** True if it accepts an Idempotency-Key. */
  readonly isIdempotent: boolean
}

const traitsOf = (operation: Node): Traits => {
  // Each entry is an alternative; the empty one means a request without a key.
  const alternatives = Array.isArray(operation["security"]) ? operation["security"].filter(Predicate.isObject) : []
  return {
    isSecured: alternatives.some((one) => "apiKey" in one),
    isOpen:
      alternatives.every((one) => !("apiKey" in one)) || alternatives.some((one) => Object.keys(one).length === 0),
    isDeprecated: operation["deprecated"] === true,
    isIdempotent: JSON.stringify(operation["parameters"] ?? "").includes('"Idempotency-Key"')
  }
}

/**
 * A response to a request with a key has the key's balance, unless the key is refused or not looked up, or the service
 * fails.
 */
const onBalance = ({ isOpen, isSecured }: Traits, status: string, mayBeRefusal: boolean): Presence => {
  if (!isSecured || status === "401") return "never"
  return isOpen || mayBeRefusal || status === "429" || status.startsWith("5") ? "sometimes" : "always"
}

/**
 * Every response of a deprecated endpoint says so; only the success documents it, because that is what callers read.
 */
const onDeprecated = ({ isDeprecated }: Traits, status: string): Presence =>
  isDeprecated && status.startsWith("2") ? "always" : "never"

/** The headers of several problems. */
type ProblemHeaders = ReadonlyArray<HeaderFields>

const onProblem = (problems: ProblemHeaders, { name }: DocumentedHeader): Presence => {
  const having = problems.filter((headers) => name.toLowerCase() in headers).length
  if (having === 0) return "never"
  return having === problems.length ? "always" : "sometimes"
}

/** The tags of the possible problems of a documented response. */
const tagsOf = (response: Node): ReadonlyArray<string> => {
  const schema = nodeAt(response, "content", problemType, "schema") ?? {}
  const schemas: ReadonlyArray<unknown> = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [schema]
  return schemas.flatMap((each) => /(\w+)Problem$/.exec(String(nodeAt({ each }, "each")?.["$ref"]))?.[1] ?? [])
}

const documented = (headers: ReadonlyArray<DocumentedHeader>, presence: (header: DocumentedHeader) => Presence): Node =>
  Object.fromEntries(
    headers
      .filter((header) => presence(header) !== "never")
      .map((header) => {
        const { description, example, name, schema } = header
        return [name, { description, required: presence(header) === "always", schema, example }]
      })
  )

/** The headers of refusals before a request reaches an endpoint. */
const refusalHeaders = {
  ...documented(headersOf.problem, (header) =>
    onProblem(
      Object.values(refusalProblems).map(({ example }) => example.headers),
      header
    )
  )
}

/** The problems of the service by their tags. */
type Problems = Readonly<Record<string, { readonly example: ProblemAnswer }>>

/** The headers of a response of an operation. */
const responseHeaders = (table: Problems, traits: Traits, status: string, response: Node): Node => {
  const tags = tagsOf(response)
  const problems = tags.flatMap((tag) => {
    const problem = table[tag]
    return problem === undefined ? [] : [problem.example.headers]
  })
  // Refusals come before a key is looked up.
  const mayBeRefusal = tags.some((tag) => tag in refusalProblems)
  const isReplay = traits.isIdempotent && status.startsWith("2")
  return {
    // The body of a problem has it as request_id.
    ...documented(headersOf.every, () => (status.startsWith("2") ? "always" : "never")),
    ...documented(headersOf.key, () => onBalance(traits, status, mayBeRefusal)),
    ...documented(headersOf.problem, (header) => onProblem(problems, header)),
    ...documented(headersOf.replay, () => (isReplay ? "sometimes" : "never")),
    ...documented(headersOf.deprecated, () => onDeprecated(traits, status))
  }
}

/** Adds to each response of an OpenAPI document its headers, except those that it already declares. */
export const withResponseHeaders = <Spec extends object>(spec: Spec, problems: Problems): Spec => {
  for (const { operation } of operationsOf(spec)) {
    const traits = traitsOf(operation)
    for (const [status, response] of Object.entries(nodeAt(operation, "responses") ?? {})) {
      if (!Predicate.isObject(response)) continue
      response["headers"] = { ...responseHeaders(problems, traits, status, response), ...nodeAt(response, "headers") }
    }
  }
  return spec
}

const codes = Object.values(refusalProblems).map(({ code, status }) => `\`${code}\` (${status})`)

const refusal = {
  description: `Any request may be refused before it reaches an endpoint: ${codes.join(", ")}.`,
  headers: refusalHeaders,
  content: { [problemType]: { schema: { $ref: "#/components/schemas/RefusalProblem" } } }
}

/** Adds the refusals of any request to each operation of an OpenAPI document. */
export const withRefusals = <Spec extends object>(spec: Spec): Spec => {
  for (const { operation } of operationsOf(spec)) {
    const responses = nodeAt(operation, "responses")
    if (responses !== undefined) responses["4XX"] = { $ref: "#/components/responses/Refusal" }
  }
  const components = nodeAt(spec, "components")
  if (components !== undefined) components["responses"] = { Refusal: refusal }
  return spec
}
