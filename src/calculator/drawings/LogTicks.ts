import type { Html } from "../../text/html.ts"
import { brief } from "../pageFigures.ts"
import { down, label } from "./Svg.ts"

/** The numbers with a line: 1, 10, 100 and so on. */
const decades = (most: number): ReadonlyArray<number> => {
  const last = Math.max(Math.floor(Math.log10(Math.max(most, 1)) + 1e-9), 0)
  return Array.from({ length: last + 1 }, (_, exponent) => 10 ** exponent)
}

/** The lines of a logarithmic scale down to `bottom`, and their numbers below it. */
export const logTicks = (
  most: number,
  x: (count: number) => number,
  bottom: number
): { readonly lines: ReadonlyArray<Html>; readonly labels: ReadonlyArray<Html> } => {
  const counts = decades(most)
  // If there are many lines, only every other one has its number.
  const isLabelled = (index: number) => counts.length <= 6 || index % 2 === 0
  return {
    lines: [0, ...counts].map((count) => down("grid", x(count), 0, bottom)),
    labels: [
      label("tick", 0, bottom + 14, "0", "start"),
      ...counts.flatMap((count, index) =>
        isLabelled(index) && x(count) > 4 ? [label("tick", x(count), bottom + 14, brief(count))] : []
      )
    ]
  }
}
