import { Predicate } from "effect"
import { alternativesOf, type Node, nodeAt, operationsOf } from "./OpenApiDocument.ts"

/** The method of the TypeScript client for each free operation that has samples; Python spells it in snake_case. */
const freeMethods: Readonly<Partial<Record<string, string>>> = {
  benchmarks: "benchmarks",
  usage: "usage",
  ledger: "ledger",
  creditPacks: "creditPacks",
  rotate: "rotateKey"
}

/** Operations whose pages the clients fetch automatically. */
const isPaged = (operationId: unknown) => operationId === "ledger"

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The fields of a body, one per line. */
const fields = (body: Node, between: string, indent: string) =>
  Object.entries(body)
    .map(([name, value]) => `${indent}${name}${between}${JSON.stringify(value)}`)
    .join(",\n")

/** A request with curl; the key is in the variable SERVICE_API_KEY. */
export const curl = (method: string, url: string, body: object | undefined, isSecured: boolean) =>
  [
    `curl -s ${url}`,
    ...(isSecured ? [`-H "x-api-key: $SERVICE_API_KEY"`] : []),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d '${JSON.stringify(body)}'`]),
    ...(method === "post" && body === undefined ? ["-X POST"] : [])
  ].join(" \\\n  ")

/** The named arguments of a Python method, one per line. */
const named = (body: Node) => fields(body, "=", "        ")

/** The same for a campaign in flight: its plan is a separate argument. */
const inFlight = ({ emails_left, open, so_far, ...plan }: Node) =>
  `        ${JSON.stringify(plan)},\n${named({ so_far, open, emails_left })}`

const python = (method: string, base: string, body: Node | undefined, paged: boolean) => {
  const call = `client.${snakeCase(method)}(${body === undefined ? "" : `\n${method === "progress" ? inFlight(body) : named(body)},\n    `})`
  return `import json

from outreach_forecast import Client

with Client(base_url="${base}") as client:  # the key is in SERVICE_API_KEY
    answer = ${paged ? `list(${call})` : call}
print(json.dumps(answer, indent=2))`
}

const typescript = (method: string, base: string, body: Node | undefined, paged: boolean) => {
  const call = `client.${method}(${body === undefined ? "" : `{\n${fields(body, ": ", "  ")}\n}`})`
  const answer = paged
    ? `const answer = []\nfor await (const entry of ${call}) answer.push(entry)`
    : `const answer = await ${call}`
  return `import { Client } from "outreach-forecast"

const client = new Client({ baseUrl: "${base}" }) // the key is in SERVICE_API_KEY
${answer}
console.log(JSON.stringify(answer, null, 2))`
}

/** The example of the schema of an operation's request body. */
const bodyOf = (spec: object, operation: Node): Node | undefined => {
  const reference = nodeAt(operation, "requestBody", "content", "application/json", "schema")?.["$ref"]
  const examples = nodeAt(spec, ...String(reference).split("/").slice(1))?.["examples"]
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined
  return Predicate.isObject(example) ? example : undefined
}

/**
 * Adds code samples to the most important operations: some free ones, and those with a client method in `paidMethods`, by
 * their IDs. They call the service at the address `base` with the example of the request.
 */
export const withCodeSamples = <Spec extends object>(
  spec: Spec,
  base: string,
  paidMethods: typeof freeMethods
): Spec => {
  const methods = { ...freeMethods, ...paidMethods }
  for (const { method, operation, path } of operationsOf(spec)) {
    const { operationId } = operation
    const clientMethod = methods[String(operationId)]
    if (clientMethod === undefined) continue
    const body = bodyOf(spec, operation)
    const isSecured = alternativesOf(operation).length > 0
    operation["x-codeSamples"] = [
      { lang: "Shell", label: "curl", source: curl(method, `${base}${path}`, body, isSecured) },
      { lang: "Python", label: "Python", source: python(clientMethod, base, body, isPaged(operationId)) },
      { lang: "TypeScript", label: "TypeScript", source: typescript(clientMethod, base, body, isPaged(operationId)) }
    ]
  }
  return spec
}
