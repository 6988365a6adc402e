import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import packageJson from "../package.json" with { type: "json" }
import { temporaryDirectory } from "./support/Application.ts"
import { curl, run, serve, startCommand, stop, until } from "./support/Process.ts"

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

/** Whether an answer is what the page shows; "…" stands for the rest of a text or a list. */
const isShown = (shown: unknown, actual: unknown): boolean => {
  if (Predicate.isString(shown) && Predicate.isString(actual)) {
    return shown.endsWith("…") ? actual.startsWith(shown.slice(0, -1).trimEnd()) : actual === shown
  }
  if (Array.isArray(shown) && Array.isArray(actual)) {
    const elided = shown.at(-1) === "…"
    const items: ReadonlyArray<unknown> = elided ? shown.slice(0, -1) : shown
    return (elided || items.length === actual.length) && items.every((item, i) => isShown(item, actual[i]))
  }
  if (Predicate.isObject(shown) && Predicate.isObject(actual)) {
    const names = Object.keys(shown)
    return names.join() === Object.keys(actual).join() && names.every((name) => isShown(shown[name], actual[name]))
  }
  return shown === actual
}

/** What differs from run to run, made the same on both sides. */
const settled = (text: string, base: string): unknown =>
  JSON.parse(
    text
      .replaceAll("http://127.0.0.1:3000", base)
      .replaceAll(/"month": ?"[^"]*"/g, '"month":"MONTH"')
      .replace(/"order_id": ?"ord_\w{16}"/, '"order_id":"ID"')
      .replace(/"request_id": ?"[^"]*"/, '"request_id":"ID"')
  )

describe("README", () => {
  it.live("shows for each curl what the service answers", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(yield* temporaryDirectory)
      let count = 0
      for (const [i, { language, text }] of blocks.entries()) {
        if (language !== "sh" || !text.startsWith("curl")) continue
        const shown = blocks[i + 1]
        const answer = yield* curl(text.trim().replaceAll("http://127.0.0.1:3000", url))
        assert.strictEqual(shown?.language, "json")
        assert.isTrue(isShown(settled(shown?.text ?? "", url), settled(answer.text, url)), `${text}\n${answer.text}`)
        count++
      }
      assert.strictEqual(count, 6)
    })
  )

  it.live("shows commands of outreach-forecast that work", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      let key = ""
      let count = 0
      for (const command of commands) {
        const [npx, name, ...args] = command.replace("KEY", key).match(/'[^']*'|\S+/g) ?? []
        if (npx !== "npx") continue
        assert.strictEqual(name, Object.keys(packageJson.bin)[0])
        const { code, stdout } = yield* run(
          directory,
          args.map((arg) => arg.replaceAll("'", ""))
        )
        assert.strictEqual(code, 0, command)
        key = /ofk_test_\w{8}/.exec(stdout)?.[0] ?? key
        count++
      }
      assert.strictEqual(count, 16)
    })
  )

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
    const codes = read("src/http/Problems.ts").matchAll(/^ {4}code: "(\w+)"/gm)
    assert.deepStrictEqual(
      firstCells(section("Errors"), 2),
      [...new Set(codes.map(([, code = ""]) => code))].toSorted()
    )
  })
})
