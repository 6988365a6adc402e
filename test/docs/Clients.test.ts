import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { tarball } from "../../scripts/clients/typescript.mjs"
import { wheel } from "../../scripts/clients/wheel.mjs"
import { guideNames } from "../../src/extensions/guide/Guide.ts"

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8")
const page = read("docs/clients.md")

describe("docs/clients.md", () => {
  it("installs the clients that the service serves, as every other page does", () => {
    const commands = {
      pip: `pip install http://127.0.0.1:3000/clients/${wheel("clients/python").name}`,
      npm: `npm install http://127.0.0.1:3000/clients/${tarball("clients/typescript").name}`
    }
    for (const command of Object.values(commands)) assert.include(page, `\n${command}\n`)
    let count = 0
    for (const file of [
      "README.md",
      "clients/python/README.md",
      "clients/typescript/README.md",
      ...guideNames.map((name) => `docs/${name}.md`)
    ]) {
      for (const [command, tool] of read(file).matchAll(/\b(pip|npm) install \S+/g)) {
        count++
        assert.strictEqual(command.replace(/`$/, ""), tool === "pip" ? commands.pip : commands.npm, file)
      }
    }
    assert.isAtLeast(count, 8)
  })
})
