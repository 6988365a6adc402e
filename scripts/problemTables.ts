// Writes the parts of pages that are generated: docs/errors.md from the table of problems, and the tables of
// docs/rates.md from the published figures and what is compared with them. With `--check` it writes nothing, and exits
// with status 1 if a page is out of date.
import { readFileSync, writeFileSync } from "node:fs"
import { BigDecimal, Record } from "effect"
import { gradeFrom, type PerformanceGrade } from "../src/forecast/Assessment.ts"
import { publishedFigures, type Value } from "../src/forecast/benchmarks/PublishedFigures.ts"
import { riskFlagNames, riskOf } from "../src/forecast/benchmarks/RiskFlags.ts"
import { references } from "../src/forecast/benchmarks/Thresholds.ts"
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

const number = (value: number) => new Intl.NumberFormat("en-US").format(value)
const shown = (value: Value) => (typeof value === "number" ? number(value) : value.map(number).join("–"))

/** Every published figure with its unit, publisher, licence, and the data it was measured on. */
const figures = tableOf([
  ["what", "figures", "per", "published by", "measured on"],
  ...publishedFigures.map(({ measure, per, source, unit, values }) => {
    const { license, publisher, sample, seen, url, year } = source
    const who = year === null ? publisher : `${publisher} ${year}`
    return [
      measure,
      Object.entries(values)
        .map(([tier, value]) => `${shown(value)}${unit === "%" ? unit : ` ${unit}`} ${tier}`)
        .join("; "),
      per ?? "not said",
      [
        url === null ? who : `[${who}](${url})`,
        ...(seen === "quoted" ? ["quoted"] : []),
        ...(license === null ? [] : [license.replace(/^(.+) \((.+)\)$/, "[$1]($2)")])
      ].join(", "),
      sample ?? "not said"
    ]
  })
])

/** Every reference that advice compares with. */
const compared = tableOf([
  ["rate", "compared with", "basis"],
  ...Object.values(references).map(({ because, from, of, per, value }) => [
    `\`${of}\``,
    `${value}% per ${per}`,
    `${because}, ${from}`
  ])
])

const flags = tableOf([
  ["`risk_flags`", "raised", "because"],
  ...riskFlagNames.map((flag) => [`\`${flag}\``, riskOf(flag).when, riskOf(flag).because])
])

const unclears = riskFlagNames.filter((flag) => riskOf(flag).unclears !== undefined).map((flag) => `\`${flag}\``)
const { healthy, strong } = Record.map(gradeFrom, (roi) => BigDecimal.format(roi))
/** The ROI of each grade. */
const ranges: { readonly [grade in PerformanceGrade]: string } = {
  weak: "below 1",
  break_even_or_unclear: `1 to below ${healthy}, or ${healthy} and above with ${unclears.join(" or ")}, or unknown`,
  healthy: `${healthy} to below ${strong}`,
  strong: `${strong} and above`
}
const grades = tableOf([
  ["`performance_grade`", "revenue over cost"],
  ...Object.entries(ranges).map(([grade, range]) => [`\`${grade}\``, range])
])

/** The table whose first column has this title. */
const tableAt = (title: string) => new RegExp(`^\\| ${title} .*\n\\| -.*\n(?:\\|.*\n)*`, "m")

/** The pages, and the parts of them that are written here. */
const pages: ReadonlyArray<readonly [file: string, parts: ReadonlyArray<readonly [found: RegExp, text: string]>]> = [
  [
    "docs/errors.md",
    [
      [/^\| status +\| code[^]*?\|\n(?!\|)/m, `${everyCode}\n`],
      // The sections on codes are at the end.
      [/^## [a-z_]+\n[^]*/m, `${sections.join("\n\n")}\n`]
    ]
  ],
  [
    "docs/rates.md",
    [
      [tableAt("what"), `${figures}\n`],
      [tableAt("rate"), `${compared}\n`],
      [tableAt("`risk_flags`"), `${flags}\n`],
      [tableAt("`performance_grade`"), `${grades}\n`]
    ]
  ]
]

for (const [file, parts] of pages) {
  const path = new URL(`../${file}`, import.meta.url)
  const before = readFileSync(path, "utf8")
  let after = before
  for (const [found, text] of parts) {
    if (!found.test(after)) throw new Error(`${file} has no part that matches ${found}`)
    after = after.replace(found, () => text)
  }
  if (after === before) continue
  if (process.argv.includes("--check")) {
    console.error(`${file} is out of date: npm run fix updates it`)
    process.exitCode = 1
  } else writeFileSync(path, after)
}
