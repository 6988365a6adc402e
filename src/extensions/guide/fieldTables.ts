import { figure } from "../../text/Figures.ts"
import { Predicate } from "effect"
import { nodeAt, nodesIn } from "../../http/document/OpenApiDocument.ts"

/** A field of a request or a response; a nested field has the names of its parents as a prefix. */
export interface Field {
  readonly name: string
  readonly isRequired: boolean
  readonly type: string
  readonly description: string
}

type Node = Readonly<Record<string, unknown>>

/** The part of a document that a schema refers to, or the schema itself. */
export const resolve = (schema: Node, definitions: Node): Node => {
  const reference = schema["$ref"]
  const found = Predicate.isString(reference) ? definitions[reference.split("/").at(-1) ?? ""] : undefined
  return Predicate.isObject(found) ? resolve(found, definitions) : schema
}

const number = (value: unknown) => (Predicate.isNumber(value) ? figure(value) : undefined)

const boundsOf = ({ exclusiveMinimum, maximum, minimum }: Node): string => {
  const [from, above, to] = [number(minimum), number(exclusiveMinimum), number(maximum)]
  if (to === undefined) return ""
  return above === undefined ? `, ${from ?? "0"} to ${to}` : `, above ${above}, at most ${to}`
}

const typeOf = (schema: Node, definitions: Node): string => {
  const { anyOf, enum: values, items, type } = schema
  if (Array.isArray(type)) {
    const one = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}
    return type
      .map((each) => (each === "null" ? "null" : typeOf({ ...schema, type: each, ...one }, definitions)))
      .join(" or ")
  }
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ")
  if (Array.isArray(anyOf)) {
    return [...new Set(nodesIn(anyOf).map((one) => typeOf(resolve(one, definitions), definitions)))].join(" or ")
  }
  if (type === "array" && Predicate.isObject(items))
    return `list of ${typeOf(resolve(items, definitions), definitions)}`
  if (type === "object") return "object"
  const isRounded = type === "integer" && schema["maximum"] === Number.MAX_SAFE_INTEGER
  return `${String(type)}${isRounded ? "" : boundsOf(schema)}`
}

/** The only one of several schemas that is not null. */
const withoutNull = (schema: Node, definitions: Node): Node => {
  const [one, ...others] = nodesIn(schema["anyOf"]).filter(({ type }) => type !== "null")
  return one === undefined || others.length > 0 ? schema : resolve(one, definitions)
}

/** `shown` has the objects whose fields are already listed, by their text, with the name of that list. */
const fieldsWithin = (
  schema: Node,
  definitions: Node,
  prefix: string,
  shown: Map<string, string>
): ReadonlyArray<Field> => {
  const required: ReadonlyArray<unknown> = Array.isArray(schema["required"]) ? schema["required"] : []
  const properties = nodeAt(schema, "properties") ?? {}
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!Predicate.isObject(property)) return []
    const whole = resolve(property, definitions)
    const inner = withoutNull(whole, definitions)
    const description = [property, whole, inner].map((one) => one["description"]).find(Predicate.isString) ?? ""
    const path = `${prefix}${name}`
    const field = { name: path, isRequired: required.includes(name), type: typeOf(whole, definitions), description }
    const { items } = inner
    const [object, within] = Predicate.isObject(items) ? [resolve(items, definitions), `${path}[]`] : [inner, path]
    if (object["type"] !== "object") return [field]
    const text = JSON.stringify(object)
    const before = shown.get(text)
    if (before !== undefined) {
      // What an object says of itself stands there already.
      const own = description === inner["description"] ? "" : `${description} `
      return [{ ...field, description: `${own}Its fields are those of \`${before}\`.` }]
    }
    shown.set(text, within)
    return [field, ...fieldsWithin(object, definitions, `${within}.`, shown)]
  })
}

/** The fields of an object, and of the objects in it. */
export const fieldsOf = (schema: Node, definitions: Node): ReadonlyArray<Field> =>
  fieldsWithin(resolve(schema, definitions), definitions, "", new Map())

/** The first example of a schema: an object, or the text of another format than JSON. */
export const exampleOf = (schema: Node, definitions: Node): unknown => {
  const { examples } = resolve(schema, definitions)
  return Array.isArray(examples) ? examples[0] : undefined
}

/** The text of a cell of a Markdown table. */
const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ")

/** The rows of a table, of which the first is its head. */
type Table = ReadonlyArray<ReadonlyArray<string>>

/** A Markdown table. */
export const table = ([head = [], ...rows]: Table): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")

/** The fields of a request, each with its type, bounds, meaning and unit. */
export const requestTable = (fields: ReadonlyArray<Field>): Table => [
  ["field", "required", "type", "meaning and unit"],
  ...fields.map(({ description, isRequired, name, type }) => [
    `\`${name}\``,
    isRequired ? "yes" : "no",
    type.replace(" or null", ""),
    description
  ])
]

/** The fields of a response. */
export const answerTable = (fields: ReadonlyArray<Field>): Table => [
  ["field", "type", "meaning and unit"],
  ...fields.map(({ description, name, type }) => [`\`${name}\``, type, description])
]
