import { Predicate } from "effect"
import { problemType } from "../problems/ProblemDocument.ts"
import { type Node, nodeAt, operationsOf } from "./OpenApiDocument.ts"

/** Puts parts of a document into its components, each once, and gives the reference that stands for it. */
const makeParts = (kind: "headers" | "parameters" | "responses", known: Node) => {
  const texts = new Map(Object.entries(known).map(([name, part]) => [JSON.stringify(part), name]))
  const parts: Node = { ...known }
  return {
    parts,
    share: (part: Node, name: string): Node => {
      const text = JSON.stringify(part)
      let found = texts.get(text)
      for (let count = 1; found === undefined; count++) {
        const free = count === 1 ? name : `${name}-${count}`
        if (free in parts) continue
        parts[free] = part
        texts.set(text, free)
        found = free
      }
      return { $ref: `#/components/${kind}/${found}` }
    }
  }
}

const responsesOf = (spec: object): ReadonlyArray<readonly [responses: Node, status: string, response: Node]> =>
  operationsOf(spec).flatMap(({ operation }) => {
    const responses = nodeAt(operation, "responses") ?? {}
    return Object.keys(responses).flatMap((status) => {
      const response = nodeAt(responses, status)
      return response === undefined || "$ref" in response ? [] : [[responses, status, response] as const]
    })
  })

/** What a response is called: the problems that it may be. */
const nameOf = (response: Node): string | undefined => {
  const schema = nodeAt(response, "content", problemType, "schema")
  const schemas: ReadonlyArray<unknown> = Array.isArray(schema?.["anyOf"]) ? schema["anyOf"] : [schema]
  const names = schemas.map((one) =>
    Predicate.hasProperty(one, "$ref") ? String(one.$ref).split("/").at(-1) : undefined
  )
  return names.includes(undefined) ? undefined : names.map((name) => name?.replace(/Problem$/, "")).join("Or")
}

/** Refers to the parameters of an operation that are headers: others are of a path. */
const shareParameters = (operation: Node, share: (part: Node, name: string) => Node) => {
  const parameters: ReadonlyArray<unknown> = Array.isArray(operation["parameters"]) ? operation["parameters"] : []
  operation["parameters"] = parameters.map((parameter) => {
    const node = nodeAt({ parameter }, "parameter") ?? {}
    return node["in"] === "header" ? share(node, String(node["name"])) : parameter
  })
}

/** Says each header and each problem of an OpenAPI document once: there are a few, and hundreds of places that have them. */
export const withSharedParts = <Spec extends object>(spec: Spec): Spec => {
  const components = nodeAt(spec, "components")
  if (components === undefined) return spec
  const headers = makeParts("headers", {})
  const parameters = makeParts("parameters", {})
  /** Refusals are the same object in each document: a copy is changed. */
  const referring = (response: Node): Node => {
    const own = nodeAt(response, "headers") ?? {}
    const references = Object.keys(own).map((name) => {
      const header = nodeAt(own, name) ?? {}
      return [name, headers.share(header, header["required"] === true ? name : `${name}-Sometimes`)]
    })
    return { ...response, headers: Object.fromEntries(references) }
  }
  const given = nodeAt(components, "responses") ?? {}
  const responses = makeParts(
    "responses",
    Object.fromEntries(Object.keys(given).map((name) => [name, referring(nodeAt(given, name) ?? {})]))
  )
  for (const [operationResponses, status, response] of responsesOf(spec)) {
    const name = nameOf(response)
    const short = referring(response)
    operationResponses[status] = name === undefined ? short : responses.share(short, name)
  }
  for (const { operation } of operationsOf(spec)) shareParameters(operation, parameters.share)
  components["headers"] = headers.parts
  components["parameters"] = parameters.parts
  components["responses"] = responses.parts
  return spec
}
