import { endOfString } from "./JsonList.ts"

const space = /[ \t\r\n]*/y

/** The position of the next character that is not white space. */
const skipSpace = (text: string, from: number): number => {
  space.lastIndex = from
  space.exec(text)
  return space.lastIndex
}

/** What begins or ends something within a value. */
const marks = /["[\]{},]/g

/** The position after the value that begins at `start`: of the comma or bracket that ends it. */
const endOfValue = (text: string, start: number): number => {
  let depth = 0
  marks.lastIndex = start
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const { index } = found
    const mark = text.charAt(index)
    if (mark === '"') marks.lastIndex = endOfString(text, index) + 1
    else if (mark === "[" || mark === "{") depth++
    else if (depth === 0) return index
    else if (mark !== ",") depth--
  }
  return text.length
}

const nameOf = (literal: string): string | undefined => {
  try {
    return String(JSON.parse(literal))
  } catch {
    return undefined
  }
}

/**
 * The texts of the members of a JSON object by their names, so that each can be parsed by itself: of a name that comes
 * twice the last. It only counts brackets: whether a member is JSON shows when it is parsed. Undefined where the text is
 * not that of an object. Takes a few milliseconds for a mebibyte.
 */
export const jsonMembers = (text: string): ReadonlyMap<string, string> | undefined => {
  const members = new Map<string, string>()
  let at = skipSpace(text, 0)
  if (text[at] !== "{") return undefined
  at = skipSpace(text, at + 1)
  if (text[at] === "}") return skipSpace(text, at + 1) === text.length ? members : undefined
  while (text[at] === '"') {
    const end = endOfString(text, at)
    const name = nameOf(text.slice(at, end + 1))
    const colon = skipSpace(text, end + 1)
    if (name === undefined || text[colon] !== ":") return undefined
    const next = endOfValue(text, colon + 1)
    members.set(name, text.slice(colon + 1, next).trim())
    if (text[next] === "}") return skipSpace(text, next + 1) === text.length ? members : undefined
    if (text[next] !== ",") return undefined
    at = skipSpace(text, next + 1)
  }
  return undefined
}
