import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { asServed, guideNames, readPage, readRendered } from "./Guide.ts"
import { guidePage } from "./GuidePages.ts"
import { type ListedProblems, llmsFullText, llmsText } from "./llms.ts"
import { decodeReference } from "./ReferenceDocument.ts"
import { referencePage } from "./ReferencePages.ts"
import { apiAddress } from "./ApiAddress.ts"
import { makePublicResponder } from "../http/PublicResponse.ts"

const plain = (text: string, type: string) => HttpServerResponse.text(text, { contentType: `${type}; charset=utf-8` })

/** The OpenAPI document that `write` makes for an address, the reference, and the guide as HTML, Markdown and text. */
export const layer = (write: (publicUrl: string) => object, problems: ListedProblems) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const address = yield* apiAddress
      const respondPublicly = yield* makePublicResponder
      // Created on the first request, like everything here, so that the service starts faster.
      const document = yield* Effect.cached(Effect.sync(() => write(address.baseUrl)))
      const reference = Effect.map(document, decodeReference)
      const pages = yield* Effect.forEach(guideNames, (name) =>
        Effect.map(Effect.cached(readPage(name)), (read) => ({ name, read }))
      )
      const guide = Effect.all(pages.map(({ read }) => read))
      yield* router.add(
        "GET",
        "/openapi.json",
        respondPublicly(yield* Effect.cached(Effect.map(document, (made) => HttpServerResponse.jsonUnsafe(made))))
      )
      yield* router.add(
        "GET",
        "/docs",
        respondPublicly(yield* Effect.cached(Effect.map(reference, (made) => referencePage(made, problems, address))))
      )
      for (const [path, write] of [
        ["/llms.txt", llmsText],
        ["/llms-full.txt", llmsFullText]
      ] as const) {
        const made = yield* Effect.cached(
          Effect.zipWith(reference, guide, (document, guide) =>
            plain(write({ guide, document, problems, address }), "text/plain")
          )
        )
        yield* router.add("GET", path, respondPublicly(made))
      }
      for (const { name, read } of pages) {
        const page = Effect.map(read, (page) => ({ ...page, markdown: asServed(page.markdown, address) }))
        const made = yield* Effect.cached(
          Effect.zipWith(page, readRendered(name), (page, rendered) => guidePage(page, rendered, address))
        )
        yield* router.add("GET", `/docs/${name}`, respondPublicly(made))
        const markdown = yield* Effect.cached(Effect.map(page, ({ markdown }) => plain(markdown, "text/markdown")))
        yield* router.add("GET", `/docs/${name}.md`, respondPublicly(markdown))
      }
    })
  )
