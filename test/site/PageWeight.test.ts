import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { httpApplication, send } from "../support/Http.ts"

/** The most bytes that a browser gets for a page and everything it loads. */
const limits = { "/": 110_000, "/docs": 40_000, "/docs/first-call": 20_000, "/credits": 20_000, "/key": 20_000 }

/** The bytes of a response as sent to a browser. */
const weightOf = Effect.fnUntraced(function* (path: string) {
  const { headers } = yield* send(path, { headers: { "accept-encoding": "gzip, br" } })
  return Number(headers.get("content-length") ?? assert.fail(`the length of ${path} is unknown`))
})

layer(httpApplication())("a page", (it) => {
  it.effect("stays within its size limit, loads each file once, and loads nothing from other hosts", () =>
    Effect.gen(function* () {
      const weights = new Map<string, number>()
      for (const [path, limit] of Object.entries(limits)) {
        const { headers, text } = yield* send(path)
        assert.notInclude(headers.get("content-security-policy") ?? "", "unsafe")
        assert.notMatch(text, /<(?:script|link rel="stylesheet"|img)[^>]+(?:src|href)=["']https?:/)
        const files = new Set([...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = ""]) => file))
        for (const file of files) if (!weights.has(file)) weights.set(file, yield* weightOf(file))
        const ofFiles = [...files].reduce((sum, file) => sum + (weights.get(file) ?? 0), 0)
        assert.isBelow((yield* weightOf(path)) + ofFiles, limit, path)
      }
    })
  )
})
