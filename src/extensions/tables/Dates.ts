import type { Cell } from "./Cells.ts"

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const monthIn = (text: string) => {
  const name = /[a-zä]{3,}/gi
  for (const [word] of text
    .toLowerCase()
    .replace("mär", "mar")
    .replace("mai", "may")
    .replace("okt", "oct")
    .replace("dez", "dec")
    .matchAll(name)) {
    const index = months.indexOf(word.slice(0, 3))
    if (index >= 0) return index + 1
  }
  return undefined
}

const inOrder = (year: number, month: number, day: number) =>
  (year < 100 ? 2000 + year : year) * 10_000 + month * 100 + day

/** The numbers of a date, in a form that can be compared; undefined if it has no year. `isDayFirst` reads 3/4/2026. */
const orderOf = (text: string, isDayFirst: boolean): number | undefined => {
  const [, y = "", m = "", d = "1"] = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?/.exec(text) ?? []
  if (y !== "") return inOrder(Number(y), Number(m), Number(d))
  const [, first = "", , second = "", year = ""] = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{2,4})/.exec(text) ?? []
  if (year !== "") {
    return isDayFirst
      ? inOrder(Number(year), Number(second), Number(first))
      : inOrder(Number(year), Number(first), Number(second))
  }
  const month = monthIn(text)
  const [fullYear] = /\b(?:19|20)\d{2}\b/.exec(text) ?? []
  if (month !== undefined && fullYear !== undefined) {
    const [, day = "1"] = /(?:^|[^\d:])(\d{1,2})(?!\d|:)/.exec(text.replace(fullYear, "")) ?? []
    return inOrder(Number(fullYear), month, Number(day))
  }
  // A day number of Excel.
  return /^[3-5]\d{4}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : undefined
}

/**
 * The order of the dates in a column: the greater the later. Undefined if not every cell has a date with its year.
 * In 3/4/2026 the month is first, unless another cell, or dots, show that the day is.
 */
export const datesIn = (cells: ReadonlyArray<Cell>): ReadonlyArray<number> | undefined => {
  const isDayFirst = cells.some(({ text }) => /^\d{1,2}\./.test(text) || /^(?:1[3-9]|2\d|3[01])[-/]/.test(text))
  const orders = cells.flatMap(({ text }) => orderOf(text, isDayFirst) ?? [])
  return orders.length === cells.length ? orders : undefined
}
