import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import packageJson from "../package.json" with { type: "json" }
import { problemKinds } from "../src/http/Problems.ts"
import { temporaryDirectory } from "./support/Application.ts"
import { startCommand, stop, until } from "./support/Process.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, "utf8")
const readme = read("README.md")

const blocks = [...readme.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = "", text = ""]) => ({
  language,
  text
}))

/** The command lines of the shell blocks, without comments; a backslash joins lines. */
const commands = blocks
  .filter(({ language }) => language === "sh")
  .flatMap(({ text }) => text.replaceAll("\\\n", " ").split("\n"))
  .map((line) => line.replace(/ # .*$/, "").trim())
  .filter((line) => line !== "")

describe("README", () => {
  it("names npm scripts that exist", () => {
    const scripts = commands.flatMap((command) => /^npm (?:run )?([\w:]+)/.exec(command)?.[1] ?? [])
    assert.deepStrictEqual(
      scripts.filter((script) => !(script in packageJson.scripts)),
      []
    )
    assert.includeMembers(scripts, ["start", "test", "check"])
  })

  it.live("is right about npm start: it serves, and ends when npm is told to stop", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      // Without prestart: what it installs is in use by this very test.
      const npm = yield* startCommand("npm", ["start", "--ignore-scripts"], root, {
        PATH: process.env["PATH"] ?? "",
        PORT: "0",
        DATABASE_URL: `sqlite:${directory}/test.db`
      })
      yield* until(() => npm.stdout().includes("Try it:"))
      const url = /listens on (\S+)/.exec(npm.stdout())?.[1] ?? ""
      const ready = yield* Effect.promise(() => fetch(`${url}/readyz`))
      assert.strictEqual(ready.status, 200)
      assert.strictEqual((yield* stop(npm, "SIGTERM")).code, 0)
      const gone = yield* Effect.promise(() =>
        fetch(`${url}/readyz`).then(
          () => false,
          () => true
        )
      )
      assert.isTrue(gone)
    })
  )

  it("lists every variable and every problem code, and no other", () => {
    const section = (title: string) => readme.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? ""
    const firstCells = (text: string, column: number) =>
      text
        .split("\n")
        .filter((line) => line.startsWith("| ") && line.includes("`") && !line.startsWith("| status"))
        .flatMap((line) => [...(line.split("|")[column] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name))
        .toSorted()
    const variables = read("src/Settings.ts").matchAll(/(?:variable|text|secret|fileContent)\(\s*"(\w+)"/g)
    assert.deepStrictEqual(
      firstCells(section("Configuration"), 1),
      variables
        .map(([, name = ""]) => name)
        .toArray()
        .toSorted()
    )
    assert.deepStrictEqual(firstCells(section("Errors"), 2), [...problemKinds.keys()].toSorted())
  })
})
