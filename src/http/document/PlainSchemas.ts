import { Predicate, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { type Node, nodesIn } from "./OpenApiDocument.ts"

/**
 * Writes "a value or null" as one schema with two types, unless the value is an object. Of the alternatives that a schema
 * with other rules besides its fields has, generators make classes, which do not compile in Go, Java and Python.
 */
const joinNull = (node: Record<string, unknown>): void => {
  const [value, none, ...others] = Array.isArray(node["anyOf"]) ? nodesIn(node["anyOf"]) : []
  if (value === undefined || none?.["type"] !== "null" || others.length > 0) return
  const { enum: values, type } = value
  if (!Predicate.isString(type) || type === "object") return
  delete node["anyOf"]
  Object.assign(node, value, { type: [type, "null"] }, Array.isArray(values) ? { enum: values.concat([null]) } : {})
}

/**
 * Writes the only one of further rules into the schema that it is a rule of: Go generated from `allOf` does not compile.
 */
const joinRule = (node: Record<string, unknown>): void => {
  const [rule, ...others] = Array.isArray(node["allOf"]) ? nodesIn(node["allOf"]) : []
  if (rule === undefined || others.length > 0 || Object.keys(rule).some((name) => name in node)) return
  delete node["allOf"]
  Object.assign(node, rule)
}

/**
 * Simplifies a JSON Schema and everything nested in it for generated clients; `isOpen` if unlisted fields are allowed.
 */
export const simplify = (schema: unknown, isOpen: boolean): void => {
  if (Array.isArray(schema)) for (const part of schema) simplify(part, isOpen)
  if (!Predicate.isObject(schema) || Array.isArray(schema)) return
  const node: Node = schema
  joinNull(node)
  joinRule(node)
  if (isOpen && node["additionalProperties"] === false) delete node["additionalProperties"]
  // The bounds within which a double is exact: every integer has them, and readers do not need them.
  if (node["minimum"] === Number.MIN_SAFE_INTEGER) delete node["minimum"]
  if (node["maximum"] === Number.MAX_SAFE_INTEGER) delete node["maximum"]
  if (node["type"] === "number" && Array.isArray(node["enum"]) && node["enum"].every(Number.isInteger)) {
    node["type"] = "integer"
  }
  for (const [name, part] of Object.entries(node)) if (name !== "examples") simplify(part, isOpen)
}

/** A CSV body, for the document: an endpoint that has one reads and writes it itself. */
export const csvBody = ({ description, example }: { readonly description: string; readonly example: string }) =>
  Schema.String.annotate({ description, examples: [example] }).pipe(
    // On the text only: the description of the response is that of its JSON.
    Schema.decodeTo(Schema.String),
    HttpApiSchema.asText({ contentType: "text/csv" })
  )

/**
 * The examples of a schema, of which there is one. It is computed when a document or the tools are first written:
 * computing those of all forecasts takes an eighth of a start.
 */
export const exampleComputed = <A>(compute: () => A): ReadonlyArray<A> => {
  let computed: { readonly example: A } | undefined
  return Object.defineProperty(new Array<A>(), 0, {
    enumerable: true,
    get: () => {
      computed ??= { example: compute() }
      return computed.example
    }
  })
}
