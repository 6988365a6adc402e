// Writes clients/typescript/src/Wire.ts: the types of requests and responses, from the OpenAPI document. With `--check`
// it writes nothing, and exits with status 1 if the file is out of date.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { documentedAt } from "../src/Api.ts"

/**
 * The names in the document of the schemas that the client sends and receives. The schemas they refer to are written
 * too.
 */
const names = [
  "ForecastRequest",
  "ForecastAnswer",
  "LegacyForecastAnswer",
  "GoalRequest",
  "GoalAnswer",
  "ProgressRequest",
  "ProgressAnswer",
  "Campaign",
  "CampaignsAnswer",
  "Benchmarks",
  "KeyUsage",
  "LedgerPage",
  "CreditPacks",
  "Rotation",
  "RotatedKey",
  "UsageTable",
  "SubKeys",
  "SubKey",
  "CreatedSubKey",
  "NewSubKey",
  "SubKeyChange",
  "FieldError"
]

interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<string | number>
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
  enum: Schema.optionalKey(Schema.Array(Literal)),
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
  // Types cannot express these, such as which fields belong together.
  allOf: Schema.optionalKey(Schema.Array(Schema.Struct({ oneOf: Schema.Unknown }))),
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
const decode = Schema.decodeUnknownSync(Schema.Struct({ schemas: Schema.Record(Schema.String, JsonSchema) }), {
  onExcessProperty: "error"
})

const digits = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 20 })

/** The bounds of a number, which no type can express, as a sentence. */
const boundsOf = ({ exclusiveMinimum, maximum, minimum, type }: JsonSchema): string => {
  const kind = [type].flat().includes("integer") ? "An integer" : "A number"
  if (maximum === undefined) return ""
  if (exclusiveMinimum !== undefined) return `${kind} above ${digits(exclusiveMinimum)}, at most ${digits(maximum)}.`
  return minimum === undefined ? "" : `${kind} from ${digits(minimum)} to ${digits(maximum)}.`
}

/** The description of a schema, or of the schema that a nullable one contains. */
const commentOf = (schema: JsonSchema, indent: string): string => {
  const described = [schema, ...(schema.anyOf ?? [])]
  const text = [
    described.find(({ description }) => description !== undefined)?.description ?? "",
    described.map((each) => boundsOf(each)).find((bounds) => bounds !== "") ?? ""
  ]
    .filter((sentence) => sentence !== "")
    .join(" ")
  return text === "" ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`
}

const primitives: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null"
}

/** The name that a schema refers to. */
const nameOf = ({ $ref = "" }: JsonSchema): string => $ref.split("/").at(-1) ?? ""

/** The types of the names and of everything they refer to, in the order of their first mention. */
export const wireTypes = (): string => {
  const { schemas } = decode({ schemas: OpenApi.fromApi(documentedAt("")).components.schemas })
  const met = new Set(names)

  const fieldsOf = ({ properties = {}, required = [] }: JsonSchema, indent: string): string => {
    const inner = `${indent}  `
    const fields = Object.entries(properties).map(([name, schema]) => {
      const referred = [schema, ...(schema.anyOf ?? [])].map((each) => schemas[nameOf(each)] ?? {})
      const comment = [schema, ...referred].map((each) => commentOf(each, inner)).find((text) => text !== "") ?? ""
      // Code compiled with exactOptionalPropertyTypes may pass undefined too.
      const [mark, undefinedToo] = required.includes(name) ? ["", ""] : ["?", " | undefined"]
      return `${comment}${inner}readonly ${name}${mark}: ${typeOf(schema, inner)}${undefinedToo}\n`
    })
    return `{\n${fields.join("")}${indent}}`
  }

  const typeOf = (schema: JsonSchema, indent: string): string => {
    const unionOf = (types: ReadonlyArray<string>) => [...new Set(types)].join(" | ")
    if (schema.$ref !== undefined) {
      met.add(nameOf(schema))
      return nameOf(schema)
    }
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum !== undefined) return unionOf(schema.enum.map((value) => JSON.stringify(value)))
    const either = schema.anyOf ?? schema.oneOf
    if (either !== undefined) return unionOf(either.map((each) => typeOf(each, indent)))
    if (schema.properties !== undefined) return fieldsOf(schema, indent)
    if (schema.items !== undefined) return `ReadonlyArray<${typeOf(schema.items, indent)}>`
    const kinds = [schema.type ?? []].flat().map((type) => primitives[type])
    if (kinds.length === 0 || kinds.includes(undefined))
      throw new Error(`There is no type for ${JSON.stringify(schema)}`)
    return unionOf(kinds.flatMap((kind) => kind ?? []))
  }

  const types: Array<string> = []
  // The set grows during the iteration.
  for (const name of met) {
    const schema = schemas[name] ?? {}
    const comment = commentOf(schema, "")
    types.push(
      schema.properties === undefined
        ? `${comment}export type ${name} = ${typeOf(schema, "")}\n`
        : `${comment}export interface ${name} ${fieldsOf(schema, "")}\n`
    )
  }
  return `// Generated from the OpenAPI document by \`npm run fix\`. Do not edit.\n\n${types.join("\n")}`
}

if (import.meta.main) {
  const file = new URL("../clients/typescript/src/Wire.ts", import.meta.url)
  const isCurrent = existsSync(file) && readFileSync(file, "utf8") === wireTypes()
  if (!process.argv.includes("--check")) {
    if (!isCurrent) writeFileSync(file, wireTypes())
  } else if (!isCurrent) {
    console.error("clients/typescript/src/Wire.ts does not match the OpenAPI document: npm run fix updates it")
    process.exitCode = 1
  }
}
