import { Predicate } from "effect"
import type { HttpServerResponse } from "effect/http"
import { curl, jsonMembers } from "../../http/document/CodeSamples.ts"
import { nodeAt, nodesIn } from "../../http/document/OpenApiDocument.ts"
import { problemType } from "../../http/problems/ProblemDocument.ts"
import { Html, html } from "../../text/html.ts"
import type { ApiAddress } from "../../site/ApiAddress.ts"
import { exampleOf, type Field, fieldsOf, resolve } from "./fieldTables.ts"
import { code, codeExamples, page } from "../../site/layout.ts"
import { searchForm, searchScript } from "./SearchForm.ts"
import type { ListedProblems } from "../../http/document/ApiDocument.ts"
import type { Operation, ReferenceDocument } from "./ReferenceDocument.ts"

/** An operation with its path and method. */
interface Placed extends Operation {
  readonly method: string
  readonly path: string
}

type Schemas = ReferenceDocument["components"]["schemas"]
type Content = NonNullable<Operation["requestBody"]>["content"]

const json = "application/json"

/** The name of a group in an address. */
const groupId = (name: string) => `tag/${name.toLowerCase()}`

/** The fragment of an operation, which must not change, because links to the reference use it. */
export const operationId = ({ method, path, tags: [tag] }: Placed) => `${groupId(tag)}/${method}${path}`

/** The operations of a document. */
export const placedIn = ({ paths }: ReferenceDocument): ReadonlyArray<Placed> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Placed => ({ ...operation, path, method: method.toUpperCase() }))
  )

/** A text of the document, with names in backticks. */
const prose = (text: string): Html =>
  new Html(html`${text}`.text.replaceAll(/`([^`]+)`/g, (_, name: string) => `<code>${name}</code>`))

const definitions = (entries: ReadonlyArray<readonly [term: Html, meaning: Html]>): Html =>
  html`<dl class="fields">${entries.map(([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>\n`)}</dl>`

const fieldList = (fields: ReadonlyArray<Field>): Html =>
  definitions(
    fields.map(({ description, isRequired, name, type }) => [
      html`<code>${name}</code> ${type}${isRequired ? ", required" : ""}`,
      prose(description)
    ])
  )

const fold = (summary: Html | string, content: Html, isOpen = false): Html =>
  html`<details${new Html(isOpen ? " open" : "")}><summary>${summary}</summary>${content}</details>`

/** The examples of a body in each format. */
const exampleBodies = (content: Content, schemas: Schemas): ReadonlyArray<readonly [type: string, text: string]> =>
  Object.entries(content).flatMap(([type, media]) => {
    const example = exampleOf(media.schema, schemas)
    if (example === undefined) return []
    return [[type, Predicate.isString(example) ? example : JSON.stringify(example, null, 2)]]
  })

/** The fields of a body, and its other formats. */
const bodyText = (content: Content, schemas: Schemas, isRequest: boolean): Html => {
  const { [json]: media, ...others } = content
  const fields = media === undefined ? [] : fieldsOf(media.schema, schemas)
  const formats = Object.entries(others).map(
    ([type, { schema }]) =>
      html`<p>Also <code>${type}</code>. ${prose(Predicate.isString(schema["description"]) ? schema["description"] : "")}</p>`
  )
  const shown = isRequest ? fields.map((field) => ({ ...field, type: field.type.replace(" or null", "") })) : fields
  return html`${fieldList(shown)}${formats}`
}

/** The codes of the possible problems in a response. */
const codesOf = (content: Content = {}, schemas: Schemas): ReadonlyArray<unknown> => {
  const schema = content[problemType]?.schema ?? {}
  const kinds = "anyOf" in schema ? nodesIn(schema["anyOf"]) : [schema]
  return kinds.flatMap((kind) => nodeAt(resolve(kind, schemas), "properties", "code")?.["enum"] ?? [])
}

/** The remedies for the problems of an operation. Of several kinds of failure with one code, one explains it. */
const problemsText = ({ responses }: Operation, schemas: Schemas, problems: ListedProblems): Html => {
  const codes = new Set(Object.values(responses).flatMap(({ content }) => codesOf(content, schemas)))
  const possible = Object.values(problems).filter(
    ({ code, explanation }) => explanation !== undefined && codes.has(code)
  )
  return definitions(
    possible
      .toSorted((a, b) => a.status - b.status)
      .map(({ code, example, explanation, status }) => [
        html`${status} <a href="/docs/errors#${code}"><code>${code}</code></a>`,
        prose(`${example.body.title}: ${explanation?.remedy ?? ""}`)
      ])
  )
}

/** The path of an operation with the examples of its parameters; the query is optional. */
const examplePath = ({ parameters, path }: Placed): string =>
  parameters.reduce((text, { example, name }) => text.replace(`{${name}}`, String(example)), path)

/** True if an operation changes nothing, or takes at most a credit. */
const isHarmless = ({ method, responses }: Placed, schemas: Schemas): boolean =>
  method === "GET" || codesOf(responses["429"]?.content, schemas).includes("usage_exhausted")

/** A form that sends a request; it needs the script. */
const trial = (operation: Placed, body: object | undefined, { hasDemoKey }: ApiAddress): Html => {
  const needsKey = operation.security.some((one) => "apiKey" in one)
  return html`<details class="trial"><summary>Try it</summary><form data-method="${operation.method}">
<label>Path <input name="path" value="${examplePath(operation)}" required></label>
${needsKey ? html`<label>API key <input name="key" value="${hasDemoKey ? "demo" : ""}" autocomplete="off" spellcheck="false" required></label>` : html``}
${body === undefined ? html`` : html`<label>Body <textarea name="body" rows="10" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea></label>`}
<button>Send</button>
<output></output>
</form></details>`
}

const keyText = ({ security }: Operation): string => {
  if (!security.some((one) => "apiKey" in one)) return "Needs no key."
  return security.some((one) => Object.keys(one).length === 0) ? "The key is optional." : "Needs a key."
}

/** Sample calls of an operation, and an example of its response. */
const calls = (operation: Placed, schemas: Schemas, address: ApiAddress): Html => {
  const { method, requestBody, responses, security } = operation
  const media = requestBody?.content[json]
  const example = media === undefined ? undefined : exampleOf(media.schema, schemas)
  const body = Predicate.isObject(example) ? example : undefined
  const call = {
    method: method.toLowerCase(),
    path: examplePath(operation),
    body: body && jsonMembers(body),
    isOpen: !security.some((one) => "apiKey" in one)
  }
  const samples = operation["x-codeSamples"] ?? [{ lang: "Shell", source: curl(call, { baseUrl: address.baseUrl }) }]
  const others = exampleBodies(requestBody?.content ?? {}, schemas).filter(([type]) => type !== json)
  const answers = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith("2")
      ? exampleBodies(content, schemas).map(([type, text]) => [`${status} ${type}`, text] as const)
      : []
  )
  return html`<div class="calls">
${codeExamples(samples)}
${others.map(([type, text]) => code(text, type))}
${answers.map(([label, text]) => code(text, label))}
${isHarmless(operation, schemas) ? trial(operation, body, address) : html``}
</div>`
}

const operationText = (
  operation: Placed,
  { components: { schemas } }: ReferenceDocument,
  problems: ListedProblems,
  address: ApiAddress
): Html => {
  const { description, method, parameters, path, requestBody, responses, summary } = operation
  const id = operationId(operation)
  const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"))
  const parameterFields = parameters.map(({ schema, ...parameter }) => ({
    ...parameter,
    name: parameter.name,
    isRequired: parameter.required,
    type: `${String(schema["type"])}, in the ${parameter.in}`
  }))
  // A link to the section, which is inside, unfolds it.
  return html`<details class="endpoint"><summary><h3>${summary}</h3>
<span class="address"><b>${method}</b> <code>${path}</code></span></summary>
<section class="operation" id="${id}" aria-label="${summary}">
<div class="about">
<p>${operation.deprecated === true ? "(deprecated) " : ""}${prose(description)} ${keyText(operation)}</p>
${parameters.length === 0 ? html`` : fold("Parameters", fieldList(parameterFields), true)}
${requestBody === undefined ? html`` : fold("Request", bodyText(requestBody.content, schemas, true), true)}
${answers.map(([status, { content = {}, description = "", headers = {} }]) =>
  fold(
    `Answer: ${status}`,
    html`<p>${prose(description)}</p>${bodyText(content, schemas, false)}
<p>Headers: ${Object.keys(headers).map((name, i) => html`${i === 0 ? "" : ", "}<a href="#every-answer"><code>${name}</code></a>`)}.</p>`
  )
)}
${fold("Problems", problemsText(operation, schemas, problems))}
</div>
${calls(operation, schemas, address)}
</section></details>
`
}

/** Every possible header of a successful response. */
const headersOf = (operations: ReadonlyArray<Placed>): ReadonlyArray<readonly [Html, Html]> => {
  const described = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { headers = {} }]) =>
      status.startsWith("2") ? Object.entries(headers) : []
    )
  )
  return [...new Map(described)].map(([name, { description }]) => [html`<code>${name}</code>`, prose(description)])
}

/** `/docs`: every operation of the OpenAPI document. */
export const referencePage = (
  document: ReferenceDocument,
  problems: ListedProblems,
  address: ApiAddress
): HttpServerResponse.HttpServerResponse => {
  const { components, info, tags } = document
  const operations = placedIn(document)
  const groups = tags.map((tag) => ({ ...tag, operations: operations.filter(({ tags: [name] }) => name === tag.name) }))
  const contents = html`<ul>${groups.map(
    ({ name, operations }) => html`<li><a href="#${groupId(name)}">${name}</a>
<ul>${operations.map((operation) => html`<li><a href="#${operationId(operation)}">${operation.summary}</a></li>`)}</ul></li>`
  )}</ul>`
  return page(
    "Reference",
    html`<nav class="guide-pages" aria-label="Endpoints">${contents}</nav>
<div class="guide-menus"><details class="menu"><summary>Endpoints</summary>${contents}</details></div>
<article>
${searchForm}
<h1>Reference</h1>
<p class="lead">Every endpoint with its fields, examples and problems.</p>
${definitions([
  [html`Address`, html`<code>${address.baseUrl}</code>`],
  [
    html`Key`,
    html`In the header <code>x-api-key</code>. ${components.securitySchemes.apiKey.description} <a href="/#access">Get one by email</a>${
      address.hasDemoKey ? html`, or try with <code>demo</code>` : html``
    }.`
  ],
  [
    html`For programs`,
    html`<a href="/openapi.json">The OpenAPI document</a>, which <a href="/docs/clients#postman-and-bruno">Postman and Bruno</a> import, <a href="/docs/clients">clients for Python and TypeScript</a>, <a href="/llms.txt">a page for language models</a>, and <a href="/docs/agents">tools for agents</a>.`
  ]
])}
<div id="every-answer">${fold(
      "Headers of every response",
      html`<p>${prose(info.description)} ${prose(components.responses.Refusal.description)}</p>${definitions(headersOf(operations))}`
    )}</div>
${groups.map(
  ({ description, name, operations }) => html`<section aria-label="${name}"><h2 id="${groupId(name)}">${name}</h2>
<p>${prose(description)}</p>
${operations.map((operation) => operationText(operation, document, problems, address))}</section>`
)}
</article>`,
    200,
    {
      kind: "reference",
      section: "/docs",
      scripts: ["reference.js", searchScript],
      styles: ["reference.css"],
      url: `${address.baseUrl}/docs`,
      description:
        "Every endpoint of the Outreach Forecast API with its fields, examples, problems and calls in curl, Python and TypeScript."
    }
  )
}
