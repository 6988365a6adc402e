import { Predicate } from "effect"
import type { Shown } from "./Examples.ts"

/** Replaces what differs between runs: IDs, times, months, keys, and the address of the service. */
const settled = (text: string, base: string): string =>
  text
    .replaceAll(base, "http://127.0.0.1:3000")
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "UUID")
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "TIME")
    .replaceAll(/"\d{4}-\d\d"/g, '"MONTH"')
    .replaceAll(/\b(ord|key|sub)_\w{16}\b/g, "$1_ID")
    .replaceAll(/\bpreview:[0-9a-f]{64}\b/g, "preview:HASH")
    .replaceAll(/\bofk_(?:demo\b|(?:live|test)_[\w…]+)/g, "KEY")

/** True if a JSON object has the shown fields, in order; a field "…" stands for one or more others. */
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

/** True if a JSON value matches the shown one; "…" stands for the rest of a text or a list, and for fields of an object. */
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

/** True if a text matches the shown one, line by line; "…" at the end of a line stands for the rest of it. */
const isTextShown = (shown: string, actual: string) =>
  isShown(shown.trimEnd().split("\n"), actual.trimEnd().split("\n"))

/** True if a response matches the shown status, headers and body, if there is one. */
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

/** True if an output matches what a page shows; `base` is the address of the service. */
export const isOutput = ({ format, text }: Shown, actual: string, base: string): boolean =>
  matchers[format](settled(text, base), settled(actual, base))
