const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

/** A bar that fills `share` (0 to 1) of `width` characters, in eighths of a character; at least one eighth unless 0. */
export const bar = (share: number, width: number): string => {
  const units = Math.min(Math.round(share * width * 8), width * 8)
  const visible = share > 0 ? Math.max(units, 1) : 0
  return "█".repeat(Math.floor(visible / 8)) + (eighths[visible % 8] ?? "")
}

/** A range of counts with its expected number, which may lie outside of it. */
export interface Range {
  readonly low: number
  readonly high: number
  readonly expected: number
}

/**
 * A range on a linear scale from 0 to its own end, or to the expected number where that is greater: dots up to `low`, a bar
 * from `low` to `high`, a diamond at the expected number. Empty where all of them are 0.
 */
export const rangeBar = ({ expected, high, low }: Range, width: number): string => {
  const end = Math.max(high, expected)
  if (end === 0) return ""
  const at = (count: number) => Math.round((count / end) * (width - 1))
  const mark = (cell: number) => (cell === at(expected) ? "◆" : cell >= at(low) && cell <= at(high) ? "█" : "·")
  return Array.from({ length: width }, (_, cell) => mark(cell)).join("")
}
