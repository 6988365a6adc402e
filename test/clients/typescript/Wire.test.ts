import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { wireTypes } from "../../../scripts/clientTypes.ts"
import { documentedAt } from "../../../src/Api.ts"
import { nodeAt } from "../../../src/http/document/OpenApiDocument.ts"
import { nodesOf } from "../../support/Contract.ts"

const read = (file: string) =>
  readFileSync(fileURLToPath(new URL(`../../../clients/typescript/src/${file}`, import.meta.url)), "utf8")

const { paths } = OpenApi.fromApi(documentedAt(""))

/** The name of the schema that a part of the document refers to: the first, where there are several. */
const nameAt = (...keys: ReadonlyArray<string>) => {
  const schema = nodeAt(paths, ...keys, "content", "application/json", "schema")
  const [first = schema] = nodesOf(schema?.["anyOf"])
  return String(first?.["$ref"]).replace("#/components/schemas/", "")
}

describe("the types of the TypeScript client", () => {
  it("match the OpenAPI document", () => {
    assert.strictEqual(read("Wire.ts"), wireTypes(), "npm run fix writes it anew")
  })

  it("are those of the operation that a method calls, for its request and its response", () => {
    const methods = read("Client.ts").matchAll(
      /^ {2}(?:async )?(\w+)\(([^)]*)\): Promise<Answered<(\w+)>> \{[^]*?"(GET|POST) (\S+)"/gm
    )
    const calls = [...methods].map(([, name, parameters = "", answer, method = "", path = ""]) => ({
      name,
      argument: /: (?:ReadonlyArray<)?(\w+)/.exec(parameters)?.[1],
      answer,
      method: method.toLowerCase(),
      path
    }))
    assert.lengthOf(calls, 10)
    for (const { answer, argument, method, name, path } of calls) {
      assert.strictEqual(answer, nameAt(path, method, "responses", "200"), name)
      const body = method === "get" ? undefined : nameAt(path, method, "requestBody")
      // Many campaigns are wrapped in an object, which the client adds.
      const expected = body === "CampaignsRequest" ? "Campaign" : body
      assert.strictEqual(argument?.endsWith("Options") === true ? undefined : argument, expected, name)
    }
  })
})
