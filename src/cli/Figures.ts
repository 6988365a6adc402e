import * as Figures from "../Figures.ts"

/** What stands for a figure that cannot be computed. */
export const unknown = "unknown"

const orUnknown =
  (show: (value: number) => string) =>
  (value: number | null): string =>
    value === null ? unknown : show(value)

/** A number to 4 decimals. */
export const figure = orUnknown(Figures.figure)

/** An amount of money: whole, or with 2 decimals. */
export const money = orUnknown(Figures.money)

/** A percentage. */
export const percent = orUnknown(Figures.percent)

/** A range of numbers, or the one number that it has. */
export const range = (low: string, high: string): string => (low === high ? low : `${low}–${high}`)
