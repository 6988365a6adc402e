import { describe, expect, it } from "vitest"
import { about, aboutAtLeast, aboutAtMost } from "../../src/text/Figures.ts"

describe("amounts of money in sentences", () => {
  it.each([
    [0, "0"],
    [0.004321, "0.0043"],
    [0.126, "0.13"],
    [2.4, "2.40"],
    [46.15, "46.20"],
    [150, "150"],
    [937.5, "938"],
    [8775, "8,780"],
    [29_913.42, "29,900"],
    [1_234_567_890, "1,230,000,000"],
    [-8775, "−8,780"],
    [-0.000_4, "−0.0004"]
  ])("rounds %d to %s", (amount, text) => {
    expect(about(amount)).toBe(text)
  })

  it("rounds what is needed up and what may be spent down", () => {
    expect([aboutAtLeast(53_733.1), aboutAtMost(53_733.1)]).toEqual(["53,800", "53,700"])
    expect([aboutAtLeast(46.15), aboutAtMost(46.15)]).toEqual(["46.20", "46.10"])
    expect([aboutAtLeast(0.0012), aboutAtMost(0.00129)]).toEqual(["0.0012", "0.0012"])
  })

  it("leaves an amount of at most three digits as it is, whichever way it is rounded", () => {
    for (let cents = 1; cents < 1000; cents++) {
      const amount = cents / 100
      const texts = [about(amount), aboutAtLeast(amount), aboutAtMost(amount)]
      expect(new Set(texts).size).toBe(1)
      expect(Number(texts[0])).toBe(amount)
    }
    for (const amount of [46.2, 999, 12_300, 45_600_000]) expect(aboutAtLeast(amount)).toBe(aboutAtMost(amount))
  })
})
