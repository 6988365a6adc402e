import { brotliCompressSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { httpApplication, send } from "../support/Http.ts"
import { slowly } from "../support/slowly.ts"

/** The most that a page and everything it loads may weigh, compressed, in bytes. */
const limits = { "/": 110_000, "/docs": 40_000, "/docs/first-call": 20_000, "/credits": 20_000, "/key": 20_000 }

const weightOf = (content: string) => brotliCompressSync(content).length

layer(httpApplication())("a page", (it) => {
  it.effect(
    "stays within its size limit, loads each file once, and loads nothing from other hosts",
    () =>
      Effect.gen(function* () {
        const weights = new Map<string, number>()
        for (const [path, limit] of Object.entries(limits)) {
          const { headers, text } = yield* send(path)
          assert.notInclude(headers.get("content-security-policy") ?? "", "unsafe")
          assert.notMatch(text, /<(?:script|link rel="stylesheet"|img)[^>]+(?:src|href)=["']https?:/)
          const files = new Set([...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = ""]) => file))
          for (const file of files) if (!weights.has(file)) weights.set(file, weightOf((yield* send(file)).text))
          const ofFiles = [...files].reduce((sum, file) => sum + (weights.get(file) ?? 0), 0)
          assert.isBelow(weightOf(text) + ofFiles, limit, path)
        }
      }),
    slowly
  )
})
