// The declarations of the client's types, for those who install the package and have neither Effect's types nor the
// server's: what goes over the wire as Effect reads it from the API's declaration, the rest as it is in the sources.
import { readFileSync } from "node:fs"
import { Predicate, Schema, SchemaRepresentation } from "effect"
import { isolatedDeclarationSync } from "rolldown/experimental"
import { operations } from "../src/client/Operations.ts"
import { Problem } from "../src/http/problems/Problems.ts"

/**
 * The description of a schema, which belongs to its last check where it has one.
 * @param {SchemaRepresentation.Representation} schema
 */
const comment = (schema) => {
  if (schema._tag === "Reference") return ""
  const last = "checks" in schema ? schema.checks.at(-1) : undefined
  const description = schema.annotations?.["description"] ?? last?.annotations?.["description"]
  return Predicate.isString(description) ? `/** ${description} */\n` : ""
}

const schemas = Object.values(operations).flatMap(({ payload, success }) => [
  ...success,
  ...[...payload.values()].flatMap(({ schemas }) => schemas)
])
const { references } = SchemaRepresentation.toRepresentations([
  Schema.toEncoded(Problem.InvalidInput).ast,
  ...schemas.map((schema) => Schema.toEncoded(schema).ast)
])

/** @param {SchemaRepresentation.Representation} type */
const typeOf = (type) => {
  const [code] = SchemaRepresentation.toCodeDocument({ representations: [type], references }).codes
  if (code === undefined) throw new Error("A type has no code")
  return code.Type
}

/** Every schema of the declaration that has a name, as a type of that name. */
const wire = Object.entries(references).map(([name, schema]) => {
  if (schema._tag !== "Objects") return `${comment(schema)}export type ${name} = ${typeOf(schema)}\n`
  const fields = schema.propertySignatures.map(
    ({ isOptional, name, type }) =>
      `${comment(type)}readonly ${String(name)}${isOptional ? "?" : ""}: ${typeOf(type)}\n`
  )
  return `${comment(schema)}export interface ${name} {\n${fields.join("").replaceAll(/^(?=.)/gm, "  ")}}\n`
})

/** @param {string} name */
const declarationOf = (name) => {
  const file = `src/client/${name}.ts`
  const { code, errors } = isolatedDeclarationSync(file, readFileSync(file, "utf8"))
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join("; ")}`)
  return code.replaceAll(/(from "\.\/\w+)\.ts"/g, '$1.js"')
}

const sources = ["Client", "ClientOptions", "ApiError", "NetworkErrors"]

/** The texts of the declarations, by the names of their modules. */
export const declarations = new Map([
  ["Wire", wire.join("\n")],
  ...sources.map((name) => /** @type {const} */ ([name, declarationOf(name)]))
])
