import type { GuidePage, RenderedPage } from "./Guide.ts"
import type { Entry } from "./browser/findEntries.ts"
import type { ListedProblems } from "../../http/document/ApiDocument.ts"
import { fieldsOf } from "./fieldTables.ts"
import type { ReferenceDocument } from "./ReferenceDocument.ts"
import { operationId, placedIn } from "./ReferencePages.ts"

/** The sources of the index. */
interface Searched {
  readonly guide: ReadonlyArray<GuidePage & { readonly rendered: RenderedPage }>
  readonly document: ReferenceDocument
  readonly problems: ListedProblems
}

/** The settings in the tables of a page, each with the heading above it. */
const settingsIn = ({ markdown, rendered }: Searched["guide"][number]): ReadonlyArray<readonly [string, string]> => {
  let anchor = ""
  return markdown.split("\n").flatMap((line) => {
    const [, heading] = /^#{2,} (.+)$/.exec(line) ?? []
    if (heading !== undefined)
      anchor = rendered.headings.find(({ text }) => text === heading.replaceAll("`", ""))?.id ?? ""
    const [, setting] = /^\| `([A-Z][A-Z0-9_]+)`/.exec(line) ?? []
    return setting === undefined ? [] : [[setting, anchor] as const]
  })
}

/** The fields of requests and responses, each with the first endpoint that has it. */
const fieldEntries = (document: ReferenceDocument): ReadonlyArray<Entry> => {
  const { schemas } = document.components
  const first = new Map<string, Entry>()
  for (const operation of placedIn(document)) {
    const bodies = [
      operation.requestBody,
      ...Object.entries(operation.responses).flatMap(([status, response]) => (status.startsWith("2") ? [response] : []))
    ]
    for (const body of bodies) {
      const media = body?.content?.["application/json"]
      for (const { name } of media === undefined ? [] : fieldsOf(media.schema, schemas)) {
        const entry: Entry = [name, `/docs#${operationId(operation)}`, `Field: ${operation.summary}`]
        if (!first.has(name)) first.set(name, entry)
      }
    }
  }
  return [...first.values()]
}

/** Everything that can be found: pages and their headings, codes, endpoints, fields and settings, once for each address. */
export const searchIndex = ({ document, guide, problems }: Searched): ReadonlyArray<Entry> => {
  const codes = new Map(Object.values(problems).map(({ code, status }) => [code, status]))
  const entries: ReadonlyArray<Entry> = [
    ...guide.flatMap((page): ReadonlyArray<Entry> => [
      [page.title, `/docs/${page.name}`, "Guide"],
      ...page.rendered.headings
        // Sections on codes are listed as codes.
        .filter(({ text }) => !codes.has(text))
        .map(({ id, text }): Entry => [text, `/docs/${page.name}#${id}`, page.title])
    ]),
    ...[...codes].map(([code, status]): Entry => [code, `/docs/errors#${code}`, `Error ${status}`]),
    ...placedIn(document).map((operation): Entry => [
      operation.summary,
      `/docs#${operationId(operation)}`,
      `${operation.method} ${operation.path}`
    ]),
    ...fieldEntries(document),
    ...guide.flatMap((page) =>
      settingsIn(page).map(([setting, anchor]): Entry => [
        setting,
        `/docs/${page.name}#${anchor}`,
        `Setting: ${page.title}`
      ])
    )
  ]
  return [...new Map(entries.map((entry) => [`${entry[0]} ${entry[1]}`, entry])).values()]
}
