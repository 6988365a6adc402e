import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"

/**
 * Asserts that a text is that of a file in test/, which people can read. A test run with `REWRITE=1` rewrites the
 * files.
 */
export const assertGolden = (file: string, text: string): void => {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url))
  if (process.env["REWRITE"] !== undefined) writeFileSync(path, text)
  assert.strictEqual(text, existsSync(path) ? readFileSync(path, "utf8") : "", file)
}
