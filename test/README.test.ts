import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import packageJson from "../package.json" with { type: "json" }
import { anchorOf } from "../src/extensions/guide/Guide.ts"
import { temporaryDirectory } from "./support/Application.ts"
import { startCommand, stop, untilPrinted } from "./support/Process.ts"
import { slowly } from "./support/slowly.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, "utf8")
const readme = read("README.md")

const blocks = [...(readme + read("CONTRIBUTING.md")).matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(
  ([, language = "", text = ""]) => ({
    language,
    text
  })
)

/** The command lines of the shell blocks, without comments; a backslash joins lines. */
const commands = blocks
  .filter(({ language }) => language === "sh")
  .flatMap(({ text }) => text.replaceAll("\\\n", " ").split("\n"))
  .map((line) => line.replace(/ # .*$/, "").trim())
  .filter((line) => line !== "")

describe("README", slowly, () => {
  it("names npm scripts that exist", () => {
    const scripts = commands.flatMap((command) => /^npm (?!install )(?:run )?([\w:]+)/.exec(command)?.[1] ?? [])
    assert.deepStrictEqual(
      scripts.filter((script) => !(script in packageJson.scripts)),
      []
    )
    assert.includeMembers(scripts, ["start", "test", "check"])
  })

  it("names npm scripts that run in the shell of every system: they use none of its syntax except &&", () => {
    const foreign = /^exec |[;|<>$`'"\\*?~%]|&(?!&)(?<!&&)|(?:^|&& )\w+=/
    assert.deepStrictEqual(
      Object.entries(packageJson.scripts).filter(([, script]) => foreign.test(script) || /^\.?\.?\//.test(script)),
      []
    )
    for (const script of ["exec dist/main.js", "A=1 node x", "node 'x'", "a; b", "a & b", "a | b", "rm *.db"]) {
      assert.match(script, foreign)
    }
  })

  it.live("is right about npm start: it serves, and exits when npm is stopped", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      // Without prestart, which would install packages that this test is using.
      const npm = yield* startCommand("npm", ["start", "--ignore-scripts"], root, {
        PATH: process.env["PATH"] ?? "",
        APP_ENV: "test",
        PORT: "0",
        DATABASE_URL: `sqlite:${directory}/test.db`
      })
      yield* untilPrinted(npm, "Try it:")
      const url = /listens on (\S+)/.exec(npm.stdout())?.[1] ?? ""
      const ready = yield* Effect.promise(() => fetch(`${url}/readyz`))
      assert.strictEqual(ready.status, 200)
      yield* stop(npm, "SIGTERM")
      const isGone = Effect.promise(() =>
        fetch(`${url}/readyz`).then(
          () => false,
          () => true
        )
      )
      yield* Effect.repeat(isGone, { until: (gone) => gone, schedule: Schedule.spaced("20 millis") })
    })
  )

  it("names files that exist, as do the pages for people who change the code", () => {
    for (const page of ["README.md", "CONTRIBUTING.md", "docs/architecture.md"]) {
      const named = [...read(page).matchAll(/`([\w./-]+\.(?:ts|mjs|py))`/g)].map(([, path = ""]) => path)
      assert.isAbove(named.length, 10, page)
      for (const path of named) {
        // The pages name files of src by their path within it.
        const isThere = ["", "src/"].some((folder) => existsSync(`${root}${folder}${path}`))
        assert.isTrue(isThere, `${page}: ${path}`)
      }
    }
  })

  it("maps each room and each extension in CONTRIBUTING", () => {
    const [, map = assert.fail("no map")] = /```\n(src\/\n[\s\S]*?)```/.exec(read("CONTRIBUTING.md")) ?? []
    for (const folder of ["src", "src/extensions"]) {
      const missing = readdirSync(`${root}${folder}`, { withFileTypes: true })
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
        .filter((name) => !map.split(/[\s,;]+/).includes(name))
      assert.deepStrictEqual(missing, [], folder)
    }
  })

  it("has no broken links, nor do the READMEs of the clients", () => {
    const anchorsOf = (text: string) =>
      [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => anchorOf(title))
    let count = 0
    for (const file of ["README.md", "clients/python/README.md", "clients/typescript/README.md"]) {
      for (const [, link = ""] of read(file).matchAll(/\]\(([^)\s]+)\)/g)) {
        count++
        if (link.startsWith("https://")) continue
        // The service writes its address in the place of this one.
        const local = link.replace(/^http:\/\/127\.0\.0\.1:3000\/(docs\/[\w-]+)/, "../../$1.md")
        const target = new URL(local, pathToFileURL(`${root}${file}`))
        assert.isTrue(existsSync(target), `${file}: ${link}`)
        const { hash } = target
        if (hash !== "") assert.include(anchorsOf(readFileSync(target, "utf8")), hash.slice(1), `${file}: ${link}`)
      }
    }
    assert.isAbove(count, 8)
  })
})
