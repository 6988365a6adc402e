/** A JSON object whose text is taken apart at the list that it consists of, so that each item can be read by itself. */
export interface SplitList {
  /** The text with a number in the place of all items: a second list of the same name is seen to be another. */
  readonly rest: string
  /** The texts of the items, of the first ones if there are too many; undefined where the object has no such list. */
  readonly items: ReadonlyArray<string> | undefined
  /** How many items there are. */
  readonly count: number
  /** Whether the text ends within the list. */
  readonly isOpen: boolean
}

const quote = 34
const comma = 44
const backslash = 92
const openings = new Set([91, 123])
const closings = new Set([93, 125])
const bracket = 91

/** The position of the quote that ends the string which begins at `start`; the length of the text where none does. */
export const endOfString = (text: string, start: number): number => {
  for (let end = start + 1; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === backslash) end++
    else if (code === quote) return end
  }
  return text.length
}

/** Whether the JSON string from `start` to `end` says `name`, also where it has escapes. */
const says = (text: string, start: number, end: number, name: string): boolean => {
  const inner = text.slice(start + 1, end)
  if (inner === name || !inner.includes("\\") || inner.length > name.length * 6) return inner === name
  const plain = inner.replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  return plain === name
}

/**
 * Splits the text of a JSON object at the first list that it has under `name`, up to `most` items. It only counts brackets: what is no JSON
 * shows when the rest and the items are parsed. Takes a few milliseconds for a mebibyte, whatever is in it.
 */
export const splitList = (text: string, name: string, most: number): SplitList => {
  const items: Array<string> = []
  let count = 0
  let depth = 0
  let isNamed = false
  let listStart = -1
  let itemStart = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      if (depth === 1 && listStart < 0) isNamed = says(text, at, end, name)
      at = end
    } else if (openings.has(code)) {
      depth++
      if (depth === 2 && isNamed && code === bracket) {
        listStart = at + 1
        itemStart = listStart
      }
      if (listStart < 0 && depth > 1) isNamed = false
    } else if (closings.has(code)) {
      depth--
      if (listStart >= 0 && depth === 1) {
        const last = text.slice(itemStart, at)
        if (count > 0 || last.trim() !== "") {
          count++
          items.push(last)
        }
        return { rest: `${text.slice(0, listStart)}0${text.slice(at)}`, items, count, isOpen: false }
      }
    } else if (code === comma) {
      if (depth === 1) isNamed = false
      if (depth === 2 && listStart >= 0) {
        count++
        if (count <= most) items.push(text.slice(itemStart, at))
        itemStart = at + 1
      }
    }
  }
  return listStart < 0
    ? { rest: text, items: undefined, count, isOpen: false }
    : { rest: "", items, count, isOpen: true }
}
