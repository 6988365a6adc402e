import { Predicate } from "effect"
import { type Node, nodeAt, operationsOf } from "./OpenApiDocument.ts"
import { shareFields } from "./SharedFields.ts"

/** The schema of a JSON request body. */
const requestSchemaOf = (operation: Node) =>
  nodeAt(operation, "requestBody", "content", "application/json", "schema") ?? {}

/** The names of the schemas that a part of a document refers to, directly or indirectly. */
const namesIn = (part: unknown, schemas: Node): ReadonlyArray<string> => {
  if (!Predicate.isObjectOrArray(part)) return []
  return Object.entries(part).flatMap(([key, value]) => {
    if (key !== "$ref") return namesIn(value, schemas)
    const name = String(value).split("/").at(-1) ?? ""
    return [name, ...namesIn(schemas[name], schemas)]
  })
}

const isInteger = (value: unknown) => Predicate.isNumber(value) && Number.isInteger(value)

/** Simplifies a schema and everything nested in it; `isOpen` if unlisted fields are allowed. */
export const simplify = (schema: unknown, isOpen: boolean): void => {
  if (Array.isArray(schema)) for (const part of schema) simplify(part, isOpen)
  if (!Predicate.isObject(schema) || Array.isArray(schema)) return
  const node: Node = schema
  if (isOpen && node["additionalProperties"] === false) delete node["additionalProperties"]
  // The bounds within which a double is exact: every integer has them, and readers do not need them.
  if (node["minimum"] === Number.MIN_SAFE_INTEGER) delete node["minimum"]
  if (node["maximum"] === Number.MAX_SAFE_INTEGER) delete node["maximum"]
  if (node["type"] === "number" && Array.isArray(node["enum"]) && node["enum"].every(isInteger)) {
    node["type"] = "integer"
  }
  for (const [name, part] of Object.entries(node)) if (name !== "examples") simplify(part, isOpen)
}

/**
 * Prepares the schemas of an OpenAPI document for generated clients: responses may get new fields later, so they are
 * open, while a request with an unknown field is refused; whole numbers are integers.
 */
export const withPlainSchemas = <Spec extends object>(spec: Spec): Spec => {
  const schemas: Node = nodeAt(spec, "components", "schemas") ?? {}
  const requests = new Set(operationsOf(spec).flatMap(({ operation }) => namesIn(requestSchemaOf(operation), schemas)))
  for (const [name, schema] of Object.entries(schemas)) {
    simplify(schema, !requests.has(name))
  }
  const problems = Object.keys(schemas).filter((name) => name.endsWith("Problem"))
  shareFields(schemas, "Problem", "The members of every problem (RFC 9457).", problems)
  shareFields(schemas, "Forecast", "The fields of every forecast.", [
    "ForecastAnswer",
    "LegacyForecastAnswer",
    "CampaignForecast"
  ])
  shareFields(schemas, "OrderAnswer", "", ["OrderStatus"])
  return spec
}
