import { Context, Effect, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { asServed, readGuide, readRendered } from "./Guide.ts"
import { guidePage } from "./GuidePages.ts"
import { type ListedEndpoint, type ListedProblems, llmsFullText, llmsText } from "./llms.ts"
import { referencePage } from "./ReferencePages.ts"
import { apiAddress } from "./ApiAddress.ts"
import { makePublicly } from "../http/PublicAnswer.ts"

const plain = (text: string, type: string) => HttpServerResponse.text(text, { contentType: `${type}; charset=utf-8` })

const endpointsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const endpoints: Array<ListedEndpoint> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { annotations, method, path } }) => {
      const summary = Option.getOrElse(Context.getOption(annotations, OpenApi.Summary), () => "")
      endpoints.push({ method, path, summary })
    }
  })
  return endpoints
}

/** The guide: each page as HTML and as Markdown, the whole guide for LLMs, and the reference. */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  problems: ListedProblems
) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const endpoints = endpointsOf(api)
      const address = yield* apiAddress
      const publicly = yield* makePublicly
      const guide = yield* readGuide
      for (const [path, write] of [
        ["/llms.txt", llmsText],
        ["/llms-full.txt", llmsFullText]
      ] as const) {
        const made = yield* Effect.cached(
          Effect.sync(() => plain(write({ guide, endpoints, problems, address }), "text/plain"))
        )
        yield* router.add("GET", path, publicly(made))
      }
      yield* router.add(
        "GET",
        "/docs",
        publicly(yield* Effect.cached(Effect.sync(() => referencePage(address.hasDemoKey))))
      )
      for (const read of guide) {
        const page = { ...read, markdown: asServed(read.markdown, address) }
        // Made when it is first asked for: a service starts without it.
        const made = yield* Effect.cached(
          Effect.map(readRendered(page.name), (rendered) => guidePage(page, rendered, address))
        )
        yield* router.add("GET", `/docs/${page.name}`, publicly(made))
        yield* router.add(
          "GET",
          `/docs/${page.name}.md`,
          publicly(Effect.succeed(plain(page.markdown, "text/markdown")))
        )
      }
    })
  )
