import { brotliCompressSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { httpApplication, send } from "../support/Http.ts"

/** The most that a page and everything it loads may weigh, compressed, in bytes. */
const limits = { "/": 110_000, "/docs": 40_000, "/docs/first-call": 20_000, "/credits": 20_000, "/key": 20_000 }

layer(httpApplication())("a page", (it) => {
  it.effect("stays within its size limit, loads each file once, and loads nothing from other hosts", () =>
    Effect.gen(function* () {
      for (const [path, limit] of Object.entries(limits)) {
        const { headers, text } = yield* send(path)
        assert.notInclude(headers.get("content-security-policy") ?? "", "unsafe")
        assert.notMatch(text, /<(?:script|link rel="stylesheet"|img)[^>]+(?:src|href)=["']https?:/)
        const files = new Set([...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = ""]) => file))
        const contents = yield* Effect.forEach(files, (file) => send(file))
        const sizes = [text, ...contents.map((file) => file.text)].map((content) => brotliCompressSync(content).length)
        assert.isBelow(
          sizes.reduce((sum, size) => sum + size),
          limit,
          path
        )
      }
    })
  )
})
