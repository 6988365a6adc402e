import { showExact } from "../../src/forecast/Decimal.ts"
import { Record } from "effect"
import { publishedFigures, type Value } from "../../src/forecast/benchmarks/PublishedFigures.ts"
import { riskFlagNames, riskOf, gradeFrom, type PerformanceGrade } from "../../src/forecast/benchmarks/RiskFlags.ts"
import { references } from "../../src/forecast/benchmarks/Thresholds.ts"
import { code } from "./Page.ts"

const number = (value: number) => new Intl.NumberFormat("en-US").format(value)
const shown = (value: Value) => (typeof value === "number" ? number(value) : value.map(number).join("–"))

/** Every published figure with its unit, publisher, licence, and the data it was measured on. */
const figures = [
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
]

/** Every reference that advice compares with. */
const compared = [
  ["rate", "compared with", "basis"],
  ...Object.values(references).map(({ because, from, of, per, value }) => [
    code(of),
    `${value}% per ${per}`,
    `${because}, ${from}`
  ])
]

const flags = [
  ["`risk_flags`", "raised", "because"],
  ...riskFlagNames.map((flag) => [code(flag), riskOf(flag).when, riskOf(flag).because])
]

const unclears = riskFlagNames.filter((flag) => riskOf(flag).unclears !== undefined).map(code)
const { healthy, strong } = Record.map(gradeFrom, (roi) => showExact(roi))
/** The ROI of each grade. */
const ranges: { readonly [grade in PerformanceGrade]: string } = {
  weak: "below 1",
  break_even_or_unclear: `1 to below ${healthy}, or ${healthy} and above with ${unclears.join(" or ")}, or unknown`,
  healthy: `${healthy} to below ${strong}`,
  strong: `${strong} and above`
}
const grades = [
  ["`performance_grade`", "revenue over cost"],
  ...Object.entries(ranges).map(([grade, range]) => [code(grade), range])
]

export const rates = [figures, compared, flags, grades]
