// Says which tests of a file get to which mutants. A layer that tests share is built by the first of them: what that one gets
// to counts for all tests of the file, or else the mutants in its building would be tried with the first test only.
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
