import { Effect, Schema } from "effect"
import type { ApiAddress } from "../../site/ApiAddress.ts"
import { readPackageText } from "../../site/PackageFiles.ts"

/** The guide in two shelves, whose pages are Markdown files in docs/, in the order in which they are read. */
export const guideShelves = [
  {
    title: "For callers",
    names: [
      "index",
      "first-call",
      "rates",
      "certainty",
      "past-campaigns",
      "progress",
      "errors",
      "idempotency",
      "credits",
      "sub-keys",
      "clients",
      "agents",
      "legacy",
      "changes"
    ]
  },
  { title: "For the operator", names: ["operation", "production"] }
] as const
export type GuideName = (typeof guideShelves)[number]["names"][number]

/** The names of all pages. */
export const guideNames = guideShelves.flatMap(({ names }): ReadonlyArray<GuideName> => names)

/** The path of the page that all others are found from. */
export const indexPath = "/docs/index"

const operatorShelf = guideShelves[1]

/** True for a page that only the operator of a service needs. */
export const isForOperator = (page: GuideName): boolean => operatorShelf.names.some((name) => name === page)

/** A page of the guide. */
export interface GuidePage {
  readonly name: GuideName
  readonly title: string
  /** Its first paragraph. */
  readonly summary: string
  readonly markdown: string
}

/** A page as rendered from Markdown by the build. */
const RenderedPage = Schema.Struct({
  headings: Schema.Array(Schema.Struct({ depth: Schema.Int, id: Schema.String, text: Schema.String })),
  withDemoKey: Schema.String,
  withoutDemoKey: Schema.String
})
export interface RenderedPage extends Schema.Schema.Type<typeof RenderedPage> {}

const readPage = Effect.fnUntraced(function* (name: GuideName) {
  const markdown = yield* readPackageText(`docs/${name}.md`)
  const [, title, summary] = /^# (.+)\n\n(.+)\n/.exec(markdown) ?? []
  return title === undefined || summary === undefined
    ? yield* Effect.die(new Error(`docs/${name}.md does not begin with a title and a paragraph`))
    : { name, title, summary, markdown }
})

/** Reads the guide. */
export const readGuide: Effect.Effect<ReadonlyArray<GuidePage>> = Effect.forEach(guideNames, readPage)

const decodeRendered = Schema.decodeSync(Schema.fromJsonString(RenderedPage))

/** Reads a page as rendered by the build. */
export const readRendered = (name: GuideName): Effect.Effect<RenderedPage> =>
  Effect.map(readPackageText(`dist/guide/${name}.json`), (text) => decodeRendered(text))

/** The anchor of a heading, as on code forges: problem codes keep their underscores. */
export const anchorOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(/\s/g, "-")

/** The address of the service in the examples of the guide. */
export const placeholderUrl = "http://127.0.0.1:3000"

/**
 * A text of the guide as shown by a service: examples call the service itself and, if it does not accept the key
 * `demo`, take the key from the variable SERVICE_API_KEY.
 */
export const asServed = (text: string, { baseUrl, hasDemoKey }: ApiAddress): string => {
  const keyed = hasDemoKey
    ? text
    : text
        .replaceAll("-H 'x-api-key: demo'", `-H "x-api-key: $SERVICE_API_KEY"`)
        .replaceAll(/(?:api_key=|apiKey: )"demo", /g, "")
  return keyed.replaceAll(placeholderUrl, () => baseUrl)
}
