import { Predicate } from "effect"
import type { Shown } from "./Examples.ts"

/** What differs from run to run, made the same on both sides: ids, times, months, keys, and where the service listens. */
const settled = (text: string, base: string): string =>
  text
    .replaceAll(base, "http://127.0.0.1:3000")
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "UUID")
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "TIME")
    .replaceAll(/"\d{4}-\d\d"/g, '"MONTH"')
    .replaceAll(/\b(ord|key|sub)_\w{16}\b/g, "$1_ID")
    .replaceAll(/\bpreview:[0-9a-f]{64}\b/g, "preview:HASH")
    .replaceAll(/\bofk_(?:demo\b|(?:live|test)_[\w…]+)/g, "KEY")

/** Whether a JSON object has the fields that are shown, in their order; a field "…" stands for one or more of its own. */
const areFieldsShown = (
  shown: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>
): boolean => {
  const names = Object.keys(shown)
  const all = Object.keys(actual)
  const gap = names.indexOf("…")
  const left = all.length - names.length + 1
  if (gap !== -1 && left < 1) return false
  const expected = gap === -1 ? names : names.toSpliced(gap, 1, ...all.slice(gap, gap + left))
  return expected.join() === all.join() && names.every((name) => name === "…" || isShown(shown[name], actual[name]))
}

/** Whether a JSON value is what is shown; "…" stands for the rest of a text or a list, and for fields of an object. */
const isShown = (shown: unknown, actual: unknown): boolean => {
  if (Predicate.isString(shown) && Predicate.isString(actual)) {
    return shown.endsWith("…") ? actual.startsWith(shown.slice(0, -1).trimEnd()) : actual === shown
  }
  if (Array.isArray(shown) && Array.isArray(actual)) {
    const elided = shown.at(-1) === "…"
    const items: ReadonlyArray<unknown> = elided ? shown.slice(0, -1) : shown
    return (elided || items.length === actual.length) && items.every((item, i) => isShown(item, actual[i]))
  }
  if (Predicate.isObject(shown) && Predicate.isObject(actual)) return areFieldsShown(shown, actual)
  return shown === actual
}

const isJsonShown = (shown: string, actual: string) => isShown(JSON.parse(shown), JSON.parse(actual))

/** Whether a text is what is shown, line by line; "…" at the end of a line stands for the rest of it. */
const isTextShown = (shown: string, actual: string) =>
  isShown(shown.trimEnd().split("\n"), actual.trimEnd().split("\n"))

/** Whether an answer with its head is what is shown: its status, the headers that are shown, and the body if it is. */
const isHttpShown = (shown: string, actual: string) => {
  const [shownHead = "", shownBody] = shown.trimEnd().split("\n\n")
  const [head = "", body = ""] = actual.split("\r\n\r\n")
  const lines = head.split("\r\n")
  return (
    shownHead.split("\n").every((line, i) => (i === 0 ? line === lines[0] : lines.includes(line))) &&
    (shownBody === undefined || isJsonShown(shownBody, body))
  )
}

const matchers = { json: isJsonShown, http: isHttpShown, text: isTextShown }

/** Whether an output is what a page shows, where `base` is the address of the service that was asked. */
export const isOutput = ({ format, text }: Shown, actual: string, base: string): boolean =>
  matchers[format](settled(text, base), settled(actual, base))
