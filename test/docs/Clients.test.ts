import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Client } from "../../src/client/Client.ts"
import { checkOptions } from "../../src/client/ClientSettings.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/clients.md", import.meta.url)), "utf8")

/** The rows of a section's table: the name in Python, the one in TypeScript, and the rest of the row. */
const rows = (title: string) => {
  const section = page.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? ""
  return [...section.matchAll(/^\| `(\w+).*?` +\| `(\w+).*?` +\|(.*)$/gm)].map(
    ([, python = "", typescript = "", rest = ""]) => ({ python, typescript, rest })
  )
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

describe("docs/clients.md", () => {
  it("lists every method of the TypeScript client, with the one of Python", () => {
    const methods = Object.getOwnPropertyNames(Client.prototype).filter((name) => name !== "constructor")
    assert.sameMembers(
      rows("Methods").map(({ typescript }) => typescript),
      methods
    )
    for (const { python, typescript } of rows("Methods")) assert.strictEqual(python, snakeCase(typescript))
  })

  it("lists every setting with its default", () => {
    const { apiKey: _, baseUrl, maxRetries, timeoutSeconds } = checkOptions({ apiKey: "key" })
    const defaults = Object.fromEntries(
      rows("Settings").map(({ rest, typescript }) => [typescript, rest.split("|")[0]?.trim()])
    )
    assert.deepStrictEqual(defaults, {
      apiKey: "the variable `SERVICE_API_KEY`",
      baseUrl: `port ${new URL(baseUrl).port} of this machine`,
      timeout: `\`${timeoutSeconds}\``,
      maxRetries: `\`${maxRetries}\``
    })
    for (const { python, typescript } of rows("Settings")) assert.strictEqual(python, snakeCase(typescript))
  })
})
