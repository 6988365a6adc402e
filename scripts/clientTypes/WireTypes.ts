// The types of requests and responses of the clients' operations, read from the OpenAPI document.
import { Predicate, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { clientOperations, documentedAt } from "../../src/Api.ts"
import { nodeAt, nodesIn, operationsOf } from "../../src/http/document/OpenApiDocument.ts"

/** The operations that the clients have a method for. */
const operationNames = [
  ...clientOperations.map(({ path }) => `POST ${path}`),
  "POST /api/v1/forecasts",
  "GET /api/v1/benchmarks",
  "GET /api/v1/usage",
  "GET /api/v1/credits/ledger",
  "GET /api/v1/credit-packs",
  "POST /api/v1/keys/rotate",
  "GET /api/v1/sub-keys",
  "POST /api/v1/sub-keys",
  "GET /api/v1/sub-keys/{sub_key_id}",
  "PATCH /api/v1/sub-keys/{sub_key_id}",
  "DELETE /api/v1/sub-keys/{sub_key_id}",
  "POST /api/v1/sub-keys/{sub_key_id}/rotate"
]

/** Names of objects that the document has inside another one. */
const shorterNames: Readonly<Record<string, string>> = {
  GoalRequestGoal: "Goal",
  LedgerPageEntry: "LedgerEntry",
  CreditPacksPack: "CreditPack",
  UsageTableRow: "UsageRow"
}

/** A type of JSON values. */
export type Type =
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "values"; readonly values: ReadonlyArray<string | number> }
  | { readonly kind: "union"; readonly types: ReadonlyArray<Type> }
  | { readonly kind: "list"; readonly item: Type }
  | { readonly kind: "string" | "number" | "integer" | "boolean" | "null" }

/** A member of an object. */
export interface Field {
  readonly name: string
  readonly comment: string
  readonly isRequired: boolean
  readonly type: Type
}

/** An object or another type with a name. */
export interface Declaration {
  readonly name: string
  readonly comment: string
  /** True if it is part of a request. */
  readonly isSent: boolean
  readonly content: Type | ReadonlyArray<Field>
}

/** An operation: what it takes and returns. */
export interface Operation {
  /** Its method and path, like `GET /api/v1/usage`. */
  readonly name: string
  readonly body: Type | undefined
  readonly path: ReadonlyArray<Field>
  readonly query: ReadonlyArray<Field>
  /** True if it takes an idempotency key. */
  readonly hasKey: boolean
  /** Undefined if the response has no content. */
  readonly answer: Type | undefined
}

interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<string | number | null>
  readonly const?: string | number
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean
  readonly items?: JsonSchema
  readonly description?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
}

const Schemas = Schema.suspend((): Schema.Codec<ReadonlyArray<JsonSchema>> => Schema.Array(JsonSchema))
const Literal = Schema.Union([Schema.String, Schema.Number])
const Unused = Schema.optionalKey(Schema.Unknown)

const JsonSchema: Schema.Codec<JsonSchema> = Schema.Struct({
  $ref: Schema.optionalKey(Schema.String),
  type: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  anyOf: Schema.optionalKey(Schemas),
  oneOf: Schema.optionalKey(Schemas),
  enum: Schema.optionalKey(Schema.Array(Schema.NullOr(Literal))),
  const: Schema.optionalKey(Literal),
  properties: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.suspend((): Schema.Codec<JsonSchema> => JsonSchema)
    )
  ),
  required: Schema.optionalKey(Schema.Array(Schema.String)),
  additionalProperties: Schema.optionalKey(Schema.Boolean),
  items: Schema.optionalKey(Schema.suspend((): Schema.Codec<JsonSchema> => JsonSchema)),
  description: Schema.optionalKey(Schema.String),
  minimum: Schema.optionalKey(Schema.Number),
  exclusiveMinimum: Schema.optionalKey(Schema.Number),
  maximum: Schema.optionalKey(Schema.Number),
  // Types cannot express these.
  title: Unused,
  default: Unused,
  examples: Unused,
  format: Unused,
  pattern: Unused,
  minLength: Unused,
  maxLength: Unused,
  minProperties: Unused,
  minItems: Unused,
  maxItems: Unused
})

/** Refuses unknown keywords, because they could make a type wrong. */
const decode = Schema.decodeUnknownSync(JsonSchema, { onExcessProperty: "error" })

const digits = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 20 })

/** The bounds of a number, which no type can express, as a sentence. */
const boundsOf = ({ exclusiveMinimum, maximum, minimum, type }: JsonSchema): string => {
  const kind = [type].flat().includes("integer") ? "An integer" : "A number"
  if (maximum === undefined) return ""
  if (exclusiveMinimum !== undefined) return `${kind} above ${digits(exclusiveMinimum)}, at most ${digits(maximum)}.`
  return minimum === undefined ? "" : `${kind} from ${digits(minimum)} to ${digits(maximum)}.`
}

/** The description of a schema, or of the schema that a nullable one contains. */
const commentOf = (schema: JsonSchema): string => {
  const described = [schema, ...(schema.anyOf ?? [])]
  return [
    described.find(({ description }) => description !== undefined)?.description ?? "",
    described.map((each) => boundsOf(each)).find((bounds) => bounds !== "") ?? ""
  ]
    .filter((sentence) => sentence !== "")
    .join(" ")
}

const kinds = ["string", "number", "integer", "boolean", "null"] as const

/** The name that a schema refers to. */
const nameOf = ({ $ref = "" }: JsonSchema): string => $ref.split("/").at(-1) ?? ""

/** `if_you_send` becomes `IfYouSend`. */
const pascalCase = (name: string) => name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

const singular = (name: string) => name.replace(/ies$/, "y").replace(/s$/, "")

const unionOf = (types: ReadonlyArray<Type>): Type => {
  const [first, ...others] = types
  return first !== undefined && others.length === 0 ? first : { kind: "union", types }
}

/** The operations, and the types they refer to in the order of their first mention. */
export interface WireTypes {
  readonly operations: ReadonlyArray<Operation>
  readonly types: ReadonlyArray<Declaration>
}

/** Reads the types from the document. Throws if it has what no type can express. */
export const wireTypes = (): WireTypes => {
  const document = OpenApi.fromApi(documentedAt(""))
  const components = document.components.schemas
  const schemaOf = (name: string) => (name in components ? decode(components[name]) : {})
  const met = new Map<string, { readonly schema: JsonSchema; readonly isSent: boolean; readonly comment: string }>()

  const meet = (name: string, schema: JsonSchema, isSent: boolean, comment = ""): Type => {
    const known = met.get(name)
    // In Python, a number has another type in a request than in a response.
    if (known !== undefined && known.isSent !== isSent && schema.properties !== undefined)
      throw new Error(`${name} is in requests and in responses`)
    if (known === undefined) met.set(name, { schema, isSent, comment })
    return { kind: "named", name }
  }

  /** The type of a schema; `name` and `comment` are for an object that has none of its own. */
  const typeOf = (schema: JsonSchema, isSent: boolean, name = "", comment = ""): Type => {
    if (schema.$ref !== undefined) return meet(nameOf(schema), schemaOf(nameOf(schema)), isSent, comment)
    if (Array.isArray(schema.type) && schema.type.includes("null") && schema.type.length > 1) {
      const type = schema.type.filter((each) => each !== "null")
      return unionOf([typeOf(Object.assign({}, schema, { type }), isSent, name, comment), { kind: "null" }])
    }
    if (schema.const !== undefined) return { kind: "values", values: [schema.const] }
    if (schema.enum !== undefined) return { kind: "values", values: schema.enum.filter(Predicate.isNotNull) }
    // Types cannot express which of the fields belong together.
    const either = schema.properties === undefined ? (schema.anyOf ?? schema.oneOf) : undefined
    if (either !== undefined) return unionOf(either.map((each) => typeOf(each, isSent, name, comment)))
    if (schema.properties !== undefined) return meet(shorterNames[name] ?? name, schema, isSent, comment)
    if (schema.items !== undefined) return { kind: "list", item: typeOf(schema.items, isSent, singular(name), comment) }
    const found = [schema.type ?? []].flat().map((type) => kinds.find((kind) => kind === type))
    return unionOf(
      found.map((kind) => {
        if (kind === undefined) throw new Error(`There is no type for ${JSON.stringify(schema)}`)
        return { kind }
      })
    )
  }

  const fieldsOf = ({ properties = {}, required = [] }: JsonSchema, owner: string, isSent: boolean) =>
    Object.entries(properties).map(([name, schema]): Field => {
      const referred = [schema, ...(schema.anyOf ?? [])].map((each) => schemaOf(nameOf(each)))
      return {
        name,
        comment: [schema, ...referred].map(commentOf).find((text) => text !== "") ?? "",
        isRequired: required.includes(name),
        type: typeOf(schema, isSent, `${owner}${pascalCase(name)}`, `The type of ${name} in ${owner}.`)
      }
    })

  const contentOf = (node: unknown) => nodeAt(node, "content", "application/json", "schema")

  const described = operationsOf(document)
  const operations = operationNames.map((name): Operation => {
    const { operation } =
      described.find(({ method, path }) => `${method.toUpperCase()} ${path}` === name) ?? raise(`There is no ${name}`)
    const parameters = nodesIn(operation["parameters"])
    const fieldsIn = (place: string) =>
      parameters
        .filter((parameter) => parameter["in"] === place)
        .map(({ description, name, required, schema }) => ({
          name: String(name),
          comment: typeof description === "string" ? description : "",
          isRequired: required === true,
          type: typeOf(decode(schema), true)
        }))
    const body = contentOf(operation["requestBody"])
    const [answer] = ["200", "201"].flatMap((status) => contentOf(nodeAt(operation, "responses", status)) ?? [])
    return {
      name,
      body: body === undefined ? undefined : typeOf(decode(body), true),
      path: fieldsIn("path"),
      query: fieldsIn("query"),
      hasKey: parameters.some((parameter) => parameter["name"] === "Idempotency-Key"),
      answer: answer === undefined ? undefined : typeOf(decode(answer), false)
    }
  })
  // No operation names these: errors have the one, a forecast has the other where its short form is preferred.
  for (const name of ["FieldError", "MinimalForecast"]) typeOf({ $ref: name }, false)

  const types: Array<Declaration> = []
  // The map grows during the iteration.
  for (const [name, { comment, isSent, schema }] of met) {
    const content = schema.properties === undefined ? typeOf(schema, isSent, name) : fieldsOf(schema, name, isSent)
    types.push({ name, comment: commentOf(schema) || comment, isSent, content })
  }
  return { operations, types }
}

const raise = (message: string): never => {
  throw new Error(message)
}
