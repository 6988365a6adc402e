import { Predicate } from "effect"
import type { ApiAddress } from "../../site/ApiAddress.ts"
import { curl, jsonMembers } from "../../http/document/CodeSamples.ts"
import { answerTable, exampleOf, fieldsOf, requestTable, table } from "./fieldTables.ts"
import { asServed, isForOperator, type GuidePage } from "./Guide.ts"
import type { ListedProblems } from "../../http/document/ApiDocument.ts"
import type { ReferenceDocument } from "./ReferenceDocument.ts"

/** The documentation of the service for LLMs. */
interface Documentation {
  readonly guide: ReadonlyArray<GuidePage>
  readonly document: ReferenceDocument
  readonly problems: ListedProblems
  readonly address: ApiAddress
}

/** A text of a page with absolute links, including those within the page. */
const withWholeLinks = (text: string, { name }: GuidePage, publicUrl: string): string =>
  text.replaceAll(/\]\((?:([\w-]+)\.md)?(#[\w-]+)?\)/g, (all, page?: string, anchor = "") =>
    all === "]()" ? all : `](${publicUrl}/docs/${page ?? name}.md${anchor})`
  )

/** A row for each code, with its message. */
const errorTable = (problems: ListedProblems, publicUrl: string): string => {
  const rows = new Map<string, ReadonlyArray<string>>()
  const sorted = Object.entries(problems).toSorted(([, a], [, b]) => a.status - b.status)
  for (const [tag, { code, example, retryable, status }] of sorted) {
    // Of several failures with one code, the one with its name has the most general message.
    if (rows.has(code) && tag.toLowerCase() !== code.replaceAll("_", "")) continue
    const link = `[\`${code}\`](${publicUrl}/docs/errors.md#${code})`
    rows.set(code, [String(status), link, retryable ? "yes" : "no", example.body.detail])
  }
  return table([["status", "code", "retry", "example of its message"], ...rows.values()])
}

const path = "/api/v1/forecast"

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** The request of a forecast and its response: their fields as tables, and a call with its answer. */
const forecastOf = ({ address, document: { components, paths } }: Documentation) => {
  const { schemas } = components
  const { requestBody, responses } = paths[path]?.["post"] ?? {}
  const [request = {}, answer = {}] = [requestBody, responses?.["200"]].map(
    (body) => body?.content?.["application/json"]?.schema
  )
  const example = exampleOf(request, schemas)
  return {
    call: curl(
      { path, body: Predicate.isObject(example) ? jsonMembers(example) : [] },
      { baseUrl: address.baseUrl, key: address.hasDemoKey ? "demo" : undefined }
    ),
    answer: JSON.stringify(exampleOf(answer, schemas), (name, value: unknown) =>
      name === "calculation_notes" && isList(value) ? [...value.slice(0, 3), "…"] : value
    ),
    requestFields: table(requestTable(fieldsOf(request, schemas))),
    answerFields: table(answerTable(fieldsOf(answer, schemas)))
  }
}

const introduction = (documentation: Documentation): string => {
  const { address, document, problems } = documentation
  const { baseUrl } = address
  const { answer, answerFields, call, requestFields } = forecastOf(documentation)
  return `# Outreach Forecast

> A REST service that turns the assumptions of a cold-email campaign into an exact ROI forecast, metered in credits: one forecast, one credit. Results are estimates, not guarantees.

A forecast is POST ${baseUrl}${path} with JSON and an \`x-api-key\` header. Rates are percentages from 0 to 100. It sends no email and scrapes nothing. Agents that speak the Model Context Protocol use ${baseUrl}/mcp instead.

## One call

\`\`\`sh
${call}
\`\`\`

\`\`\`json
${answer}
\`\`\`

A 200 takes one credit; no other response does. Send an \`Idempotency-Key\` header of your choice: a retry gets the same response and is charged once.

## Fields of the request

Numbers, not strings; a field that is not listed is an error. Use any currency, but the same one for all amounts.

${requestFields}

## Fields of the response

${answerFields}

## Errors

Every response that is not 2xx is \`application/problem+json\` with \`code\`, \`message\`, \`retryable\` and \`request_id\`, and for \`invalid_input\` with \`errors\`, a list of \`pointer\`, \`message\` and \`code\`. Do not retry a problem that is not retryable: correct the request. Wait as long as \`Retry-After\` says.

${errorTable(problems, baseUrl)}

## Endpoints

${table([
  ["endpoint", "what it does"],
  ...Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => [`\`${method.toUpperCase()} ${path}\``, summary])
  )
])}
`
}

const links = (guide: ReadonlyArray<GuidePage>, publicUrl: string): string => `## Guide

${guide.map((page) => `- [${page.title}](${publicUrl}/docs/${page.name}.md): ${withWholeLinks(page.summary, page, publicUrl)}`).join("\n")}

## Reference

- [OpenAPI document](${publicUrl}/openapi.json): Every endpoint with its fields, bounds, examples and errors, in OpenAPI 3.1.
- [Everything in one text](${publicUrl}/llms-full.txt): This page, and every page of the guide except those for the operator.
`

/** `/llms.txt`: everything an LLM needs to call the service, and links to the rest (llmstxt.org). */
export const llmsText = (documentation: Documentation): string => {
  const { address, guide } = documentation
  return asServed(`${introduction(documentation)}\n${links(guide, address.baseUrl)}`, address)
}

/** `/llms-full.txt`: the same with all pages of the guide for those who call the service. */
export const llmsFullText = (documentation: Documentation): string => {
  const { address, guide } = documentation
  const pages = guide
    .filter(({ name }) => !isForOperator(name))
    .map((page) => withWholeLinks(page.markdown, page, address.baseUrl))
  return asServed([introduction(documentation), ...pages].join("\n\n"), address)
}
