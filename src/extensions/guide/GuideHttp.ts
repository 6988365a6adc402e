import { Effect } from "effect"
import { HttpPlatform, HttpRouter, HttpServerResponse } from "effect/http"
import { asServed, readGuide, readRendered } from "./Guide.ts"
import { guidePage } from "./GuidePages.ts"
import { ApiDocument } from "../../http/document/ApiDocument.ts"
import { llmsFullText, llmsText } from "./llms.ts"
import { decodeReference } from "./ReferenceDocument.ts"
import { referencePage } from "./ReferencePages.ts"
import { searchPath } from "./SearchForm.ts"
import { searchIndex } from "./SearchIndex.ts"
import { apiAddress } from "../../site/ApiAddress.ts"
import { respondPublicly } from "../../http/PublicResponse.ts"

const plain = (text: string, type: string) => HttpServerResponse.text(text, { contentType: `${type}; charset=utf-8` })

/** The reference, and the guide as HTML, Markdown and text. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { at, problems } = yield* ApiDocument
    const address = yield* apiAddress
    const platform = yield* HttpPlatform.HttpPlatform
    // Created on the first request, like everything here, so that the service starts faster.
    const reference = yield* Effect.cached(Effect.sync(() => decodeReference(at(address.baseUrl))))
    const guide = yield* readGuide
    yield* router.add(
      "GET",
      "/docs",
      respondPublicly(
        platform,
        yield* Effect.cached(Effect.map(reference, (made) => referencePage(made, problems, address)))
      )
    )
    // The index is for people; a program reads the pages.
    const pages = guide.filter(({ name }) => name !== "index")
    for (const [path, write] of [
      ["/llms.txt", llmsText],
      ["/llms-full.txt", llmsFullText]
    ] as const) {
      const made = yield* Effect.cached(
        Effect.map(reference, (document) => plain(write({ guide: pages, document, problems, address }), "text/plain"))
      )
      yield* router.add("GET", path, respondPublicly(platform, made))
    }
    const index = Effect.gen(function* () {
      const pages = yield* Effect.forEach(guide, (page) =>
        Effect.map(readRendered(page.name), (rendered) => ({ ...page, rendered }))
      )
      const entries = searchIndex({ guide: pages, document: yield* reference, problems })
      return plain(JSON.stringify(entries), "application/json")
    })
    yield* router.add("GET", searchPath, respondPublicly(platform, yield* Effect.cached(index)))
    for (const read of guide) {
      const page = { ...read, markdown: asServed(read.markdown, address) }
      const made = yield* Effect.cached(
        Effect.map(readRendered(page.name), (rendered) => guidePage(page, rendered, address))
      )
      yield* router.add("GET", `/docs/${page.name}`, respondPublicly(platform, made))
      yield* router.add(
        "GET",
        `/docs/${page.name}.md`,
        respondPublicly(platform, Effect.succeed(plain(page.markdown, "text/markdown")))
      )
    }
  })
)
