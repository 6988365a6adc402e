/**
 * A text on one line, without control and format characters, which make a terminal move the cursor, hide text, reverse
 * its direction or break the line. Each becomes a space.
 */
export const onOneLine = (value: string | number): string =>
  String(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")

/** Applies `onOneLine` to each line of a text. */
export const onItsLines = (text: string): string => text.split("\n").map(onOneLine).join("\n")

const escaped = (text: string) =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** JSON with every control and format character escaped; JSON.stringify leaves some of them. */
export const safeJson = (value: unknown, indentation?: number): string =>
  JSON.stringify(value, null, indentation).replaceAll(/[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, escaped)

/** A text with each API key cut to its displayable part. */
export const withoutSecrets = (text: string): string => text.replaceAll(/(ofk_(?:live|test)_\w{8})\w+/g, "$1")

/** The displayable part of a text sent as an API key; undefined unless it starts like one. */
export const shownPart = (text: string): string | undefined => /^ofk_(?:live|test)_\w{8}(?=\w)/.exec(text)?.[0]
