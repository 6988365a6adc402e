import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"

/**
 * Asserts that a text is the one in a file of test/, which people read. `REWRITE=1` before a test run writes the files anew.
 */
export const assertGolden = (file: string, text: string): void => {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url))
  if (process.env["REWRITE"] !== undefined) writeFileSync(path, text)
  assert.strictEqual(text, existsSync(path) ? readFileSync(path, "utf8") : "", file)
}
