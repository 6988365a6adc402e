import { Context, Predicate, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { exampleAt } from "../problems/problem.ts"
import { type ProblemResponse, problemType } from "../problems/ProblemDocument.ts"
import { refusalProblems } from "../problems/HttpProblems.ts"
import { type DocumentedHeader, headersOf } from "../ResponseHeaders.ts"
import { alternativesOf, documentHeader, type Node, nodeAt, nodesIn, operationsOf } from "./OpenApiDocument.ts"
import { simplify } from "./PlainSchemas.ts"

/** The parameters of a path or a query, with their decoded types; the framework documents each as a string. */
const parametersOf = (place: "path" | "query", decoder: Schema.Constraint | undefined): ReadonlyArray<Node> => {
  if (decoder === undefined) return []
  const decoded = Schema.toJsonSchemaDocument(Schema.toType(decoder)).schema
  const required: ReadonlyArray<unknown> = Array.isArray(decoded["required"]) ? decoded["required"] : []
  return Object.entries(nodeAt(decoded, "properties") ?? {}).map(([name, property]) => {
    const { description, examples, ...schema } = nodeAt({ property }, "property") ?? {}
    const example: unknown = Array.isArray(examples) ? examples[0] : undefined
    return { name, in: place, required: required.includes(name), description, schema, example }
  })
}

/** The frequency of a header in a response. */
type Presence = "always" | "sometimes" | "never"

const documented = (headers: ReadonlyArray<DocumentedHeader>, presence: (header: DocumentedHeader) => Presence): Node =>
  Object.fromEntries(
    headers
      .filter((header) => presence(header) !== "never")
      .map((header) => [header.name, documentHeader(header, presence(header) === "always")])
  )

/** The headers of a response with one of several problems. */
const problemHeaders = (problems: ReadonlyArray<ProblemResponse>): Node =>
  documented(headersOf.problem, ({ name }) => {
    const having = problems.filter(({ headers }) => name.toLowerCase() in headers).length
    if (having === 0) return "never"
    return having === problems.length ? "always" : "sometimes"
  })

const refusals = Object.values(refusalProblems)
const refusalAnswers = refusals.map(({ example }) => example)

/**
 * A response to a request with a key has the key's balance, unless the key is refused or not looked up, or the service
 * fails. Refusals come before a key is looked up.
 */
const onBalance = (operation: Node, status: string, problems: ReadonlyArray<ProblemResponse>): Presence => {
  const alternatives = alternativesOf(operation)
  if (alternatives.length === 0 || status === "401") return "never"
  const isCertain = alternatives.every((schemes) => schemes.length > 0) && status !== "429" && !status.startsWith("5")
  return isCertain && !problems.some((answer) => refusalAnswers.includes(answer)) ? "always" : "sometimes"
}

/** Adds the parameters of an endpoint, and the headers of its responses, except those that they already have. */
const describe = (
  operation: Node,
  { params, query }: HttpApiEndpoint.Top,
  errors: ReadonlyMap<number, ReadonlyArray<Schema.Constraint>>
): void => {
  const inHeaders = nodesIn(operation["parameters"]).filter(({ in: place }) => place === "header")
  operation["parameters"] = [...parametersOf("path", params), ...parametersOf("query", query), ...inHeaders]
  const responses: Node = nodeAt(operation, "responses") ?? {}
  for (const [status, response] of Object.entries(responses)) {
    if (!Predicate.isObject(response)) continue
    const problems = (errors.get(Number(status)) ?? []).flatMap(({ ast }) => exampleAt(ast) ?? [])
    response["headers"] = {
      // The body of a problem has it as request_id.
      ...documented(headersOf.every, () => (status.startsWith("2") ? "always" : "never")),
      ...documented(headersOf.key, () => onBalance(operation, status, problems)),
      ...problemHeaders(problems),
      ...nodeAt(response, "headers")
    }
  }
  responses["4XX"] = { $ref: "#/components/responses/Refusal" }
}

/** The names of the schemas of a request. */
const requestNames = ({ payload }: HttpApiEndpoint.Top): ReadonlyArray<string> =>
  [...payload.values()]
    .flatMap(({ schemas }) => schemas)
    .flatMap((schema) => Object.keys(Schema.toJsonSchemaDocument(schema).definitions))

const codes = refusals.map(({ code, status }) => `\`${code}\` (${status})`)

/** The refusals of any request. */
const refusal = {
  description: `Any request may be refused before it reaches an endpoint: ${codes.join(", ")}.`,
  headers: problemHeaders(refusalAnswers),
  content: { [problemType]: { schema: { $ref: "#/components/schemas/RefusalProblem" } } }
}

/**
 * Adds to the OpenAPI document of an API what its endpoints declare and the framework leaves out: parameters with their
 * types and examples, the headers of each response, and the refusals of any request. Responses may get new fields
 * later, so their schemas are open; a request with an unknown field is refused.
 */
export const withDeclarations = <Spec extends object, Id extends string, Groups extends HttpApiGroup.Constraint>(
  spec: Spec,
  api: HttpApi.HttpApi<Id, Groups>
): Spec => {
  const operations = new Map(operationsOf(spec).map(({ operation }) => [operation["operationId"], operation]))
  const requests = new Set<string>()
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, errors }) => {
      describe(
        operations.get(Context.getOrElse(endpoint.annotations, OpenApi.Identifier, () => "")) ?? {},
        endpoint,
        errors
      )
      for (const name of requestNames(endpoint)) requests.add(name)
    }
  })
  const components: Node = nodeAt(spec, "components") ?? {}
  for (const [name, schema] of Object.entries(nodeAt(components, "schemas") ?? {})) {
    simplify(schema, !requests.has(name))
  }
  components["responses"] = { Refusal: refusal }
  return spec
}
