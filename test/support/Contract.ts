import { assert } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { Predicate, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { documentedAt } from "../../src/Api.ts"
import { headersOf } from "../../src/http/ResponseHeaders.ts"
import { refusalProblems } from "../../src/http/problems/HttpProblems.ts"
import { type Node, nodeAt, nodesIn, operationsOf } from "../../src/http/document/OpenApiDocument.ts"

/** The OpenAPI document of the service. */
const document: Node = { ...OpenApi.fromApi(documentedAt("https://forecast.example")) }

// Most schemas check few values: compiling them takes longer, and faster code would take longest to compile.
const compiling = { code: { optimize: false }, inlineRefs: false }
const ajv = new Ajv2020({ allErrors: true, coerceTypes: false, strictTypes: false, ...compiling })
formats.default(ajv)
ajv.addVocabulary(["components"])
ajv.addSchema({ components: document["components"] }, "document")

const decodeNode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const compile = (text: string) => ajv.compile(decodeNode(text))
const ofTexts = new Map<string, ReturnType<typeof compile>>()
const ofSchemas = new WeakMap<object, ReturnType<typeof compile>>()

/** A schema of the document, compiled. Shared references are compiled once, and so are equal schemas of responses. */
const validatorOf = (schema: object) => {
  const known = ofSchemas.get(schema)
  if (known !== undefined) return known
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
  const validate = ofTexts.get(text) ?? compile(text)
  ofTexts.set(text, validate)
  ofSchemas.set(schema, validate)
  return validate
}

/** True if a value conforms to a schema of the document. */
export const fitsSchema = (schema: object, value: unknown): boolean => validatorOf(schema)(value)

/** Fails if a value does not conform to a schema of the document, and lists every violation. */
const checkSchema = (schema: object, value: unknown, what: string): void => {
  const validate = validatorOf(schema)
  assert.isTrue(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`)
}

/** Every operation of the document. */
export const operations = operationsOf(document)

/** The schema of a part of the document. */
export const schemaOf = (media: Node | undefined): Node => {
  const schema = nodeAt(media, "schema") ?? {}
  const reference = schema["$ref"]
  return Predicate.isString(reference) ? (nodeAt(document, ...reference.split("/").slice(1)) ?? {}) : schema
}

/** The example in the schema of a part of the document. */
export const exampleOf = (media: Node | undefined): Node => {
  const [example] = nodesIn(schemaOf(media)["examples"])
  return example ?? assert.fail("no example")
}

const minimalForecast = { $ref: "#/components/schemas/MinimalForecast" }

const refusal: Node = nodeAt(document, "components", "responses", "Refusal") ?? {}
const refusals = new Set(Object.values(refusalProblems).map(({ code, status }) => `${code} ${status}`))

/** Headers that HTTP itself adds to every response. */
const transport = ["connection", "content-length", "content-type", "date", "keep-alive", "transfer-encoding"]

/** A response. */
interface CheckedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The headers that the document does not repeat for each response. */
const sharedHeaders = (isPage: boolean, isDeprecated: boolean) =>
  [headersOf.every, headersOf.always, isPage ? headersOf.page : [], isDeprecated ? headersOf.deprecated : []]
    .flat()
    .map(({ name }) => name.toLowerCase())

const checkHeaders = (documented: Node, headers: Headers, what: string, isDeprecated: boolean) => {
  const names = Object.keys(documented)
  for (const { name, schema } of [...headersOf.every, ...headersOf.always]) {
    if (!names.includes(name)) checkSchema(schema, headers.get(name), `${what} ${name}`)
  }
  for (const name of names) {
    const value = headers.get(name)
    const schema = nodeAt(documented, name, "schema") ?? {}
    if (value === null) assert.isFalse(nodeAt(documented, name)?.["required"], `${what} has no ${name}`)
    else checkSchema(schema, schema["type"] === "integer" ? Number(value) : value, `${what} ${name}`)
  }
  const isPage = headers.get("content-type")?.startsWith("text/html") === true
  const known = new Set([
    ...transport,
    ...sharedHeaders(isPage, isDeprecated),
    ...names.map((name) => name.toLowerCase())
  ])
  assert.deepStrictEqual(
    [...headers.keys()].filter((name) => !known.has(name)),
    [],
    `${what} has headers that are not documented`
  )
}

/** True if a path matches a template of the document, such as /api/v1/orders/{order_id}. */
const isOf = (template: string) => {
  const form = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`)
  return (path: string) => form.test(path)
}
const paths = operations.map((operation) => ({ ...operation, matches: isOf(operation.path) }))

/**
 * Fails if a response is not documented for its path and method: its status, its type, exactly its headers, and its
 * body. Returns which of the documented responses it is; undefined for paths and methods that are not documented.
 */
export const checkResponse = (
  method: string,
  path: string,
  { headers, status, text }: CheckedResponse
): string | undefined => {
  const pathname = path.split("?")[0] ?? ""
  if (!paths.some(({ matches }) => matches(pathname)) || ["HEAD", "OPTIONS"].includes(method)) return
  const found = paths.find((known) => known.matches(pathname) && known.method === method.toLowerCase())
  const response = nodeAt(found?.operation, "responses", String(status))
  const what = `${method} ${pathname} ${status}`
  const type = headers.get("content-type")?.split(";")[0] ?? ""
  const isJson = type.endsWith("json")
  const body: unknown = isJson ? JSON.parse(text) : text
  const { code } = nodeAt({ body }, "body") ?? {}
  const documentedSchema = nodeAt(response, "content", type, "schema")
  // An operation may have a response of its own with the code of a refusal.
  const isRefusal =
    refusals.has(`${String(code)} ${status}`) && (documentedSchema === undefined || !fitsSchema(documentedSchema, body))
  if (response === undefined || isRefusal) assert.isTrue(isRefusal, `${what} ${text} is not documented`)
  const chosen = isRefusal ? refusal : (response ?? {})
  const isDeprecated = found?.operation["deprecated"] === true
  if (isDeprecated && !isRefusal && status < 500) assert.isNotNull(headers.get("deprecation"), what)
  checkHeaders(nodeAt(chosen, "headers") ?? {}, headers, what, isDeprecated)
  if (text === "" && nodeAt(chosen, "content") === undefined) return
  const content = nodeAt(chosen, "content", type) ?? assert.fail(`${what} is not documented as ${type}`)
  // The document describes the short form in words only, so that no generated type is a union.
  const isMinimal = headers.get("preference-applied") === "return=minimal"
  checkSchema(isMinimal ? minimalForecast : (nodeAt(content, "schema") ?? {}), body, what)
  return `${method} ${found?.path ?? pathname} ${status} ${type}`
}

/** All documented responses, except those that any request may get. */
export const documentedResponses: ReadonlyArray<string> = operations.flatMap(({ method, operation, path }) =>
  Object.entries(nodeAt(operation, "responses") ?? {}).flatMap(([status, response]) =>
    Object.keys(nodeAt({ response }, "response", "content") ?? {}).map(
      (type) => `${method.toUpperCase()} ${path} ${status} ${type}`
    )
  )
)
