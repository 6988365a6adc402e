// Writes the types of the TypeScript client.
import type { Declaration, Field, Operation, Type, WireTypes } from "./WireTypes.ts"

const typeOf = (type: Type, room = ""): string => {
  switch (type.kind) {
    case "named":
      return `${room}${type.name}`
    case "values":
      return type.values.map((value) => JSON.stringify(value)).join(" | ")
    case "union":
      return [...new Set(type.types.map((each) => typeOf(each, room)))].join(" | ")
    case "list":
      return `ReadonlyArray<${typeOf(type.item, room)}>`
    case "integer":
      return "number"
    default:
      return type.kind
  }
}

const commentOf = (text: string, indent = "") =>
  text === "" ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`

// Code compiled with exactOptionalPropertyTypes may pass undefined too.
const memberOf = ({ isRequired, name, type }: Field) =>
  `readonly ${name}${isRequired ? "" : "?"}: ${typeOf(type)}${isRequired ? "" : " | undefined"}`

const declarationOf = ({ comment, content, name }: Declaration) => {
  if ("kind" in content) return `${commentOf(comment)}export type ${name} = ${typeOf(content)}\n`
  const fields = content.map((field) => `${commentOf(field.comment, "  ")}  ${memberOf(field)}\n`)
  return `${commentOf(comment)}export interface ${name} {\n${fields.join("")}}\n`
}

/** `{ readonly a: string; readonly b?: number | undefined }` */
const objectOf = (members: ReadonlyArray<string>) => (members.length === 0 ? "object" : `{ ${members.join("; ")} }`)

const operationOf = ({ answer, body, name, path, query }: Operation) => {
  const sent = [
    ...(body === undefined ? [] : [`readonly body: ${typeOf(body, "Wire.")}`]),
    ...(path.length === 0 ? [] : [`readonly path: ${objectOf(path.map(memberOf))}`]),
    ...(query.length === 0 ? [] : [`readonly query: ${objectOf(query.map(memberOf))}`])
  ]
  const members = [
    `readonly sent: ${objectOf(sent)}`,
    `readonly answer: ${answer === undefined ? "object" : typeOf(answer, "Wire.")}`
  ]
  return `  readonly "${name}": {\n${members.map((member) => `    ${member}\n`).join("")}  }\n`
}

const generated = "// Generated from the OpenAPI document by `npm run fix`. Do not edit.\n"

/** The files of the client, by name: the types that it exports, and the one that its own code is checked against. */
export const typeScriptFiles = ({ operations, types }: WireTypes): Readonly<Record<string, string>> => ({
  "Wire.ts": [generated, ...types.map(declarationOf)].join("\n"),
  "Operations.ts": `${generated}import type * as Wire from "./Wire.ts"

/** What each operation takes and returns. */
export interface Operations {
${operations.map(operationOf).join("")}}
`
})
