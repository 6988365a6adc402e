import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { tarball } from "../../scripts/clients/typescript.mjs"
import { wheel } from "../../scripts/clients/wheel.mjs"
import { guideNames, placeholderUrl } from "../../src/site/Guide.ts"
import { Client } from "../../clients/typescript/src/index.ts"
import { checkOptions } from "../../clients/typescript/src/ClientSettings.ts"

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8")
const page = read("docs/clients.md")

/** The rows of a section's table: the name in Python, the one in TypeScript, and the rest of the row. */
const rows = (title: string) => {
  const section = page.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? ""
  return [...section.matchAll(/^\| `(\w+).*?` +\| `(\w+).*?` +\|(.*)$/gm)].map(
    ([, python = "", typescript = "", rest = ""]) => ({ python, typescript, rest })
  )
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

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

  it("lists every method of the TypeScript client, with the one of Python", () => {
    const methods = Object.getOwnPropertyNames(Client.prototype).filter((name) => name !== "constructor")
    assert.sameMembers(
      rows("Methods").map(({ typescript }) => typescript),
      methods
    )
    for (const { python, typescript } of rows("Methods")) assert.strictEqual(python, snakeCase(typescript))
  })

  it("lists every setting with its default", () => {
    const { apiKey: _, baseUrl, maxRetries, timeout } = checkOptions({ apiKey: "key" })
    // The service writes its own address in the place of this one.
    assert.strictEqual(baseUrl, placeholderUrl)
    const defaults = Object.fromEntries(
      rows("Settings").map(({ rest, typescript }) => [typescript, rest.split("|")[0]?.trim()])
    )
    assert.deepStrictEqual(defaults, {
      apiKey: "the variable `SERVICE_API_KEY`",
      baseUrl: "the variable `SERVICE_BASE_URL`, or the service that it is from",
      timeout: `\`${timeout}\``,
      maxRetries: `\`${maxRetries}\``,
      fetch: "one of its own; the runtime's `fetch`"
    })
    for (const { python, typescript } of rows("Settings")) {
      assert.strictEqual(python, typescript === "fetch" ? "http_client" : snakeCase(typescript))
    }
  })
})
