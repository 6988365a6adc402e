import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { wireTypes } from "../../../scripts/clientTypes.ts"
import { documentedAt } from "../../../src/Api.ts"
import { nodeAt, nodesIn } from "../../../src/http/document/OpenApiDocument.ts"

const read = (file: string) =>
  readFileSync(fileURLToPath(new URL(`../../../clients/typescript/src/${file}`, import.meta.url)), "utf8")

const { paths } = OpenApi.fromApi(documentedAt(""))

/** The names of the schemas that a part of the document refers to. */
const namesAt = (...keys: ReadonlyArray<string>) => {
  const schema = nodeAt(paths, ...keys, "content", "application/json", "schema")
  const schemas = schema?.["anyOf"] === undefined ? [schema] : nodesIn(schema["anyOf"])
  return schemas.map((each) => String(each?.["$ref"]).replace("#/components/schemas/", ""))
}

/** The names of the types of an operation's responses: `object` if a response has no content. */
const answersOf = (path: string, method: string) =>
  ["200", "201", "204"].flatMap((status) => {
    if (nodeAt(paths, path, method, "responses", status) === undefined) return []
    return status === "204" ? ["object"] : namesAt(path, method, "responses", status)
  })

describe("the types of the TypeScript client", () => {
  it("match the OpenAPI document", () => {
    assert.strictEqual(read("Wire.ts"), wireTypes(), "npm run fix writes it anew")
  })

  it("are those of the operation that a method calls, for its request and its response", () => {
    const methods = read("Client.ts").matchAll(
      /^ {2}(?:async )?(\w+)\(([^)]*)\): Promise<Answered<(\w+)>> \{[^]*?["`](GET|POST|PATCH|DELETE) ([^"`]+)["`]/gm
    )
    const calls = [...methods].map(([, name, parameters = "", response = "", method = "", path = ""]) => ({
      name,
      // Parameters of the path and the query come first.
      argument: /: (?:ReadonlyArray<)?(\w+)/.exec(
        parameters.replace(/^(id: string|by: UsageTable\["by"\]), /, "")
      )?.[1],
      response,
      method: method.toLowerCase(),
      path: path.replace("${subKeyPath(id)}", "/api/v1/sub-keys/{sub_key_id}")
    }))
    assert.lengthOf(calls, 17)
    for (const { response, argument, method, name, path } of calls) {
      assert.include(answersOf(path, method), response, name)
      const [body] = ["get", "delete"].includes(method) ? [] : namesAt(path, method, "requestBody")
      // Many campaigns are wrapped in an object, which the client adds.
      const expected = body === "CampaignsRequest" ? "Campaign" : body
      assert.strictEqual(argument?.endsWith("Options") === true ? undefined : argument, expected, name)
    }
  })
})
