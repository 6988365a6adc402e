import { Predicate } from "effect"
import { alternativesOf, type Node, nodeAt, operationsOf } from "./OpenApiDocument.ts"

/** A field of a request and its value as JSON. */
export type Member = readonly [name: string, json: string]

/** A request that code samples send. */
export interface SampleCall {
  readonly path: string
  /** By default `post`. */
  readonly method?: string
  readonly body?: ReadonlyArray<Member> | undefined
  /** True if it takes no key. */
  readonly isOpen?: boolean
}

/** The same for a request that the clients can send. */
export interface ClientCall extends SampleCall {
  /** The method of the TypeScript client; that of the Python client is spelled in snake_case. */
  readonly clientMethod: string
  /** A comment above the call. */
  readonly about?: string
}

/** The service that code samples call: its address without a trailing slash, and the key, unless a variable has it. */
interface Service {
  readonly baseUrl: string
  readonly key?: string | undefined
}

export const languages = ["curl", "python", "typescript"] as const
type Language = (typeof languages)[number]
export const languageNames = { curl: "curl", python: "Python", typescript: "TypeScript" }

/** The most characters of a value on one line. */
const maxLine = 80

/** The members of an object; long values take several lines. */
export const jsonMembers = (body: object): ReadonlyArray<Member> =>
  Object.entries(body).map(([name, value]: [string, unknown]) => {
    const json = JSON.stringify(value)
    return [name, json.length <= maxLine ? json : JSON.stringify(value, null, 2).replaceAll("\n", "\n    ")]
  })

/** Members one per line. */
const lines = (members: ReadonlyArray<Member>, between: string, indent: string) =>
  members.map(([name, json]) => `${indent}${name}${between}${json}`).join(",\n")

/** A comment above a call. */
const comment = (sign: string, about: string | undefined) => (about === undefined ? "" : `${sign} ${about}\n`)

/** A JSON text in single quotes for a shell, with its own single quotes escaped. */
const quoted = (json: string) => `'${json.replaceAll("'", "\\u0027")}'`

/** A request with curl. */
export const curl = ({ body, isOpen = false, method = "post", path }: SampleCall, { baseUrl, key }: Service): string =>
  [
    `curl -s ${baseUrl}${path}`,
    ...(isOpen ? [] : [key === undefined ? '-H "x-api-key: $SERVICE_API_KEY"' : `-H 'x-api-key: ${key}'`]),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${quoted(`{\n${lines(body, '": ', '    "')}\n  }`)}`]),
    ...(method === "post" && body === undefined ? ["-X POST"] : [])
  ].join(" \\\n  ")

/** True if the clients fetch all pages of an operation automatically. */
const isPaged = ({ clientMethod }: ClientCall) => clientMethod === "ledger"

/** The arguments of the Python client for a campaign in flight besides its plan. */
const besidesPlan = new Set(["so_far", "open", "emails_left"])

const python = (calls: ReadonlyArray<ClientCall>, { baseUrl, key }: Service): string => {
  const argumentsOf = ({ body = [], clientMethod }: ClientCall) => {
    const [first, ...others] = body
    if (first === undefined) return ""
    if (clientMethod === "forecasts") return `${first[1]}${others.map(([name, json]) => `, ${name}=${json}`).join("")}`
    const plan = clientMethod === "progress" ? body.filter(([name]) => !besidesPlan.has(name)) : []
    const keywords = body.filter((member) => !plan.includes(member))
    const dictionary = plan.length === 0 ? "" : `    {\n${lines(plan, '": ', '        "')},\n    },\n`
    return `\n${dictionary}${lines(keywords, "=", "    ")},\n`
  }
  const samples = calls.map((call) => {
    const method = call.clientMethod.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const answer = `client.${method}(${argumentsOf(call)})`
    return `${comment("#", call.about)}print(json.dumps(${isPaged(call) ? `list(${answer})` : answer}, indent=2))`
  })
  return `import json

from outreach_forecast import Client

client = Client(${key === undefined ? "" : `api_key="${key}", `}base_url="${baseUrl}")${key === undefined ? "  # the key is in SERVICE_API_KEY" : ""}

${samples.join("\n\n")}`
}

const typescript = (calls: ReadonlyArray<ClientCall>, { baseUrl, key }: Service): string => {
  const argumentsOf = ({ body = [], clientMethod }: ClientCall) => {
    const [first, ...others] = body
    if (first === undefined) return ""
    return clientMethod === "forecasts"
      ? `${first[1]}${others.map(([name, json]) => `, { ${name}: ${json} }`).join("")}`
      : `{\n${lines(body, ": ", "  ")}\n}`
  }
  const samples = calls.map((call) => {
    const answer = `client.${call.clientMethod}(${argumentsOf(call)})`
    return `${comment("//", call.about)}${
      isPaged(call)
        ? `const entries = []\nfor await (const entry of ${answer}) entries.push(entry)\nconsole.log(JSON.stringify(entries, null, 2))`
        : `console.log(JSON.stringify(await ${answer}, null, 2))`
    }`
  })
  return `import { Client } from "outreach-forecast"

const client = new Client({ ${key === undefined ? "" : `apiKey: "${key}", `}baseUrl: "${baseUrl}" })${key === undefined ? " // the key is in SERVICE_API_KEY" : ""}

${samples.join("\n\n")}`
}

/** Programs that send requests one after the other, and print the responses as JSON. */
export const codeSamples = (
  calls: ReadonlyArray<ClientCall>,
  service: Service
): { readonly [language in Language]: string } => ({
  curl: calls.map((call) => `${comment("#", call.about)}${curl(call, service)}`).join("\n\n"),
  python: python(calls, service),
  typescript: typescript(calls, service)
})

/** The method of the TypeScript client for each free operation that has samples. */
const freeMethods: Readonly<Partial<Record<string, string>>> = {
  benchmarks: "benchmarks",
  usage: "usage",
  ledger: "ledger",
  creditPacks: "creditPacks",
  rotate: "rotateKey"
}

/** The example of the schema of an operation's request body. */
const bodyOf = (spec: object, operation: Node): Node | undefined => {
  const reference = nodeAt(operation, "requestBody", "content", "application/json", "schema")?.["$ref"]
  const examples = nodeAt(spec, ...String(reference).split("/").slice(1))?.["examples"]
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined
  return Predicate.isObject(example) ? example : undefined
}

/**
 * Adds code samples to the most important operations: some free ones, and those with a client method in `paidMethods`,
 * by their IDs. They call the service at the address `baseUrl` with the example of the request.
 */
export const withCodeSamples = <Spec extends object>(
  spec: Spec,
  baseUrl: string,
  paidMethods: typeof freeMethods
): Spec => {
  const methods = { ...freeMethods, ...paidMethods }
  for (const { method, operation, path } of operationsOf(spec)) {
    const clientMethod = methods[String(operation["operationId"])]
    if (clientMethod === undefined) continue
    const body = bodyOf(spec, operation)
    const call = {
      clientMethod,
      method,
      path,
      body: body && jsonMembers(body),
      isOpen: alternativesOf(operation).length === 0
    }
    const samples = codeSamples([call], { baseUrl })
    operation["x-codeSamples"] = languages.map((language) => ({
      lang: language === "curl" ? "Shell" : languageNames[language],
      label: languageNames[language],
      source: samples[language]
    }))
  }
  return spec
}
