import { fileURLToPath } from "node:url"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, FileSystem } from "effect"

/** The pages of the guide, each a Markdown file in docs/, in the order in which they are read. */
export const guideNames = ["first-call", "rates", "errors", "idempotency", "credits", "legacy", "operation"] as const
export type GuideName = (typeof guideNames)[number]

/** A page of the guide. */
export interface GuidePage {
  readonly name: GuideName
  readonly title: string
  /** Its first paragraph: what the page is about. */
  readonly summary: string
  readonly markdown: string
}

/** Beside src, where the sources run, and beside dist, where the program runs. */
const folder = new URL("../docs/", import.meta.url)

const readPage = Effect.fnUntraced(function* (name: GuideName) {
  const files = yield* FileSystem.FileSystem
  const markdown = yield* files.readFileString(fileURLToPath(new URL(`${name}.md`, folder)))
  const [, title, summary] = /^# (.+)\n\n(.+)\n/.exec(markdown) ?? []
  return title === undefined || summary === undefined
    ? yield* Effect.die(new Error(`docs/${name}.md does not begin with a title and a paragraph`))
    : { name, title, summary, markdown }
})

/** Reads the guide. A page that is missing is a fault of the installation, and a defect. */
export const readGuide: Effect.Effect<ReadonlyArray<GuidePage>> = Effect.forEach(guideNames, readPage).pipe(
  Effect.orDie,
  Effect.provide(NodeFileSystem.layer)
)
