import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"

const read = (file: string) => readFileSync(new URL(`../../../src/${file}`, import.meta.url), "utf8")

const styles = [read("site/browser/style/base.css"), read("extensions/calculator/browser/result.css")]

/** The colours of a scheme: those of the light one, with the changes of the dark one. */
const colours = (scheme: "light" | "dark"): ReadonlyMap<string, string> =>
  new Map(
    styles.flatMap((css) => {
      const [light = "", dark = ""] = css.split("@media (prefers-color-scheme: dark) {")
      const [overrides = ""] = dark.split("\n}")
      return [...`${light}${scheme === "dark" ? overrides : ""}`.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)].map(
        ([, name = "", value = ""]) => [name, value] as const
      )
    })
  )

/** Relative luminance (WCAG 2.2). */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

it.each(["light", "dark"] as const)("adjacent colours in charts have a contrast of 3:1 in the %s scheme", (scheme) => {
  const all = colours(scheme)
  const of = (name: string): string => {
    const value = all.get(name)
    if (value === undefined) throw new Error(`There is no ${name}`)
    return value
  }
  for (const [one, other, least] of [
    ["--vary", "--card", 3],
    ["--loss", "--card", 3],
    ["--other", "--card", 3],
    ["--soft", "--card", 4.5],
    ["--hero-soft", "--hero", 4.5]
  ] as const) {
    assert.isAtLeast(contrast(of(one), of(other)), least, `${one} on ${other}`)
  }
})

it.each(["light", "dark"] as const)("stacked sub-keys differ by 3:1 or by a pattern in the %s scheme", (scheme) => {
  const keyPage = read("extensions/account/browser/key.css")
  const all = colours(scheme)
  const look = (series: number) => ({
    colour: all.get(`--other-${series}`) ?? "",
    pattern: new RegExp(`\\.other-${series} \\{\\s*fill: (url|var\\(--page\\))`).exec(keyPage)?.[0] ?? "plain"
  })
  // Where a day lacks a sub-key, any two of them touch.
  for (const one of [1, 2, 3, 4]) {
    for (let other = one + 1; other <= 5; other++) {
      const [first, second] = [look(one), look(other)]
      if (first.pattern !== second.pattern) continue
      assert.isAtLeast(contrast(first.colour, second.colour), 3, `${one} and ${other}`)
    }
  }
})
