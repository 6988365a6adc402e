import { Predicate } from "effect"
import { type Node, nodeAt, operationsOf } from "./OpenApiDocument.ts"
import { shareFields } from "./SharedFields.ts"

/** The schema of a request's body as JSON. */
const requestSchemaOf = (operation: Node) =>
  nodeAt(operation, "requestBody", "content", "application/json", "schema") ?? {}

/** The names of the schemas that a part of a document refers to, and that those refer to in turn. */
const namesIn = (part: unknown, schemas: Node): ReadonlyArray<string> => {
  if (!Predicate.isObjectOrArray(part)) return []
  return Object.entries(part).flatMap(([key, value]) => {
    if (key !== "$ref") return namesIn(value, schemas)
    const name = String(value).split("/").at(-1) ?? ""
    return [name, ...namesIn(schemas[name], schemas)]
  })
}

const isInteger = (value: unknown) => Predicate.isNumber(value) && Number.isInteger(value)

/** Changes a schema and all that is inside it; `isOpen` where it may have fields that are not listed. */
export const simplify = (schema: unknown, isOpen: boolean): void => {
  if (Array.isArray(schema)) for (const part of schema) simplify(part, isOpen)
  if (!Predicate.isObject(schema) || Array.isArray(schema)) return
  const node: Node = schema
  if (isOpen && node["additionalProperties"] === false) delete node["additionalProperties"]
  // The bounds within which a double is exact: every integer has them, and no reader needs them.
  if (node["minimum"] === Number.MIN_SAFE_INTEGER) delete node["minimum"]
  if (node["maximum"] === Number.MAX_SAFE_INTEGER) delete node["maximum"]
  if (node["type"] === "number" && Array.isArray(node["enum"]) && node["enum"].every(isInteger)) {
    node["type"] = "integer"
  }
  for (const [name, part] of Object.entries(node)) if (name !== "examples") simplify(part, isOpen)
}

/** The example of an object, if it has one. */
const exampleOf = ({ examples }: Node): Node | undefined => {
  const list: ReadonlyArray<unknown> = Array.isArray(examples) ? examples : []
  return nodeAt({ example: list[0] }, "example")
}

/**
 * Leaves to the schema of refusals what status and code are, and to that of all problems what one looks like: there is a
 * schema for each code, which says what such a problem tells.
 */
const describeOnce = (problem: Node): void => {
  const { detail } = { ...exampleOf(problem) }
  for (const name of ["status", "code"]) delete nodeAt(problem, "properties", name)?.["description"]
  problem["description"] = `${String(problem["description"]).slice(0, -1)}, as in: ${String(detail)}`
  delete problem["examples"]
}

/** Leaves the examples of fields to an example of their object, where it has them. */
const exemplifyOnce = (schema: Node, example: unknown): void => {
  for (const [name, value] of Object.entries({ ...nodeAt({ example }, "example") })) {
    const property = nodeAt(schema, "properties", name)
    if (property === undefined || value === null) continue
    delete property["examples"]
    const list: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
    exemplifyOnce(nodeAt(property, "items") ?? property, list[0] ?? value)
  }
}

/** Says of a number or a text that may be null that it is of either type. */
const nameNull = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(nameNull)
  if (!Predicate.isObject(part)) return part
  const { anyOf, ...rest }: Node = Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [name, name === "examples" ? inner : nameNull(inner)])
  )
  if (anyOf === undefined) return rest
  const [value, none, ...others] = Array.isArray(anyOf) ? anyOf.filter(Predicate.isObject) : []
  const { enum: values, type, ...said }: Node = { ...value }
  const isPlain = values === undefined && ["string", "number", "integer"].includes(String(type))
  const isNull = Predicate.hasProperty(none, "type") && none.type === "null"
  return isPlain && isNull && others.length === 0 ? { type: [type, "null"], ...said, ...rest } : { anyOf, ...rest }
}

/**
 * Prepares the schemas of an OpenAPI document for generated clients: answers may get new fields later, so they are open,
 * while a request with an unknown field is refused; whole numbers are integers.
 */
export const withPlainSchemas = <Spec extends object>(spec: Spec): Spec => {
  const schemas: Node = nodeAt(spec, "components", "schemas") ?? {}
  const requests = new Set(operationsOf(spec).flatMap(({ operation }) => namesIn(requestSchemaOf(operation), schemas)))
  for (const [name, schema] of Object.entries(schemas)) {
    simplify(schema, !requests.has(name))
    const node = nodeAt(schemas, name) ?? {}
    if (name.endsWith("Problem") && name !== "RefusalProblem") describeOnce(node)
    schemas[name] = nameNull(node)
  }
  const problems = Object.keys(schemas).filter((name) => name.endsWith("Problem"))
  shareFields(schemas, "Problem", "What every problem has (RFC 9457).", problems)
  shareFields(schemas, "Forecast", "What every forecast says of its campaign.", [
    "ForecastAnswer",
    "LegacyForecastAnswer",
    "CampaignForecast"
  ])
  shareFields(schemas, "OrderAnswer", "", ["OrderStatus"])
  for (const name of Object.keys(schemas)) {
    const schema = nodeAt(schemas, name) ?? {}
    exemplifyOnce(schema, exampleOf(schema))
  }
  exemplifyOnce(nodeAt(schemas, "Forecast") ?? {}, exampleOf(nodeAt(schemas, "ForecastAnswer") ?? {}))
  return spec
}
