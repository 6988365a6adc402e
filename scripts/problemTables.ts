// Writes the parts of docs/errors.md that are generated from the table of problems. With `--check` it writes nothing, and
// exits with status 1 if they are out of date.
import { readFileSync, writeFileSync } from "node:fs"
import { Problem } from "../src/Problems.ts"

/** The entries that explain a code, ordered by status. */
const codes = Object.values(Problem)
  .flatMap(({ explanation, ...entry }) => (explanation === undefined ? [] : [{ ...entry, explanation }]))
  .toSorted((a, b) => a.status - b.status)

/** A Markdown table, with columns as wide as their widest cell. */
const tableOf = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lineOf = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`
  const [head = [], ...body] = rows
  return [lineOf(head), lineOf(widths.map((width) => "-".repeat(width))), ...body.map(lineOf)].join("\n")
}

const unique = (items: ReadonlyArray<string | number>) => [...new Set(items)].join(", ")

const byRemedy = Map.groupBy(codes, ({ explanation }) => explanation.remedy)
const everyCode = tableOf([
  ["status", "code", "what to do"],
  ...[...byRemedy].map(([remedy, kinds]) => [
    unique(kinds.map(({ status }) => status)),
    kinds.map(({ code }) => `[\`${code}\`](#${code})`).join(", "),
    remedy
  ])
])

const sections = codes.map(({ code, explanation: { whatToDo, when, why }, retryable, status, title }) =>
  [
    `## ${code}`,
    `${status} · ${title} · ${retryable ? "retryable" : "not retryable"}`,
    `**When.** ${when}`,
    `**Why.** ${why}`,
    `**What to do.** ${whatToDo}`
  ].join("\n\n")
)

/** The parts of the page that are written here. */
const parts: ReadonlyArray<readonly [found: RegExp, text: string]> = [
  [/^\| status +\| code[^]*?\|\n(?!\|)/m, `${everyCode}\n`],
  // The sections on codes are at the end.
  [/^## [a-z_]+\n[^]*/m, `${sections.join("\n\n")}\n`]
]

const path = new URL("../docs/errors.md", import.meta.url)
const before = readFileSync(path, "utf8")
let after = before
for (const [found, text] of parts) {
  if (!found.test(after)) throw new Error(`docs/errors.md has no part that matches ${found}`)
  after = after.replace(found, () => text)
}
if (after !== before && process.argv.includes("--check")) {
  console.error("docs/errors.md differs from the table of problems: npm run fix updates it")
  process.exitCode = 1
} else if (after !== before) writeFileSync(path, after)
