import { Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { asServed, readGuide } from "../pages/Guide.ts"
import { Settings } from "../../Settings.ts"
import { guidePage, llmsText } from "../pages/guidePages.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { makePublicly } from "./PublicAnswer.ts"

const plain = (text: string, type: string) =>
  Effect.succeed(HttpServerResponse.text(text, { contentType: `${type}; charset=utf-8` }))

/** The guide: each page for people, the same as Markdown, and the list of them for programs. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { demoKey } = yield* Settings
    const publicUrl = yield* PublicUrl
    const hasDemoKey = Option.exists(demoKey, ({ secret }) => Redacted.value(secret) === "demo")
    const publicly = yield* makePublicly
    const guide = yield* readGuide
    yield* router.add("GET", "/llms.txt", publicly(plain(llmsText(guide, publicUrl), "text/plain")))
    for (const read of guide) {
      const page = { ...read, markdown: asServed(read.markdown, { hasDemoKey, publicUrl }) }
      // Made when it is first asked for: all of them would take a tenth of the start.
      const made = yield* Effect.cached(Effect.sync(() => guidePage(page)))
      yield* router.add("GET", `/docs/${page.name}`, publicly(made))
      yield* router.add("GET", `/docs/${page.name}.md`, publicly(plain(page.markdown, "text/markdown")))
    }
  })
)
