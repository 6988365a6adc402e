// Records which tests of a file reach which mutants. The first test builds the layer that the tests of a file share, so
// the mutants that one of them reaches count for all; otherwise those in the layer would be tried with the first test
// only.
import { afterAll } from "vitest"

declare global {
  /** Recorded by the mutated code: for each test, how often it reached each mutant. */
  var __stryker__:
    | { readonly mutantCoverage?: { readonly perTest: Record<string, Record<string, number>> } }
    | undefined
}

const fileOf = (test: string) => test.slice(0, test.indexOf("#"))

afterAll(() => {
  const perTest = globalThis.__stryker__?.mutantCoverage?.perTest ?? {}
  for (const tests of Map.groupBy(Object.keys(perTest), fileOf).values()) {
    const all = Object.fromEntries(tests.flatMap((test) => Object.entries(perTest[test] ?? {})))
    for (const test of tests) perTest[test] = { ...all, ...perTest[test] }
  }
})
