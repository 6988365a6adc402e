import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const styles = globSync("src/*/browser/**/*.css", { cwd: root }).map((file) => ({
  file,
  text: readFileSync(`${root}${file}`, "utf8").replaceAll(/\/\*[^]*?\*\//g, "")
}))

describe("the styles of the pages", () => {
  it("differ between light and dark only in custom properties", () => {
    const schemes = styles.flatMap(({ text }) => [...text.matchAll(/prefers-color-scheme: \w+\) \{([^]*?)\n\}/g)])
    assert.isNotEmpty(schemes)
    for (const [, rules = ""] of schemes)
      assert.match(rules, /^\s*:root \{(?:\s*(?:color-scheme|--[\w-]+): [^;{}]+;)+\s*\}$/)
  })

  it("use only the sizes of the scale", () => {
    for (const { file, text } of styles.filter((each) => each.file.startsWith("src/site/"))) {
      const sizes = [...text.matchAll(/(?<!-)font(?:-size)?: ([^;]+);/g)].map(([, value = ""]) => value)
      for (const size of sizes) assert.match(size, /var\(--s[1-6]\)|^inherit$|^0\.9em$|^1em$|^13px/, file)
    }
  })
})
