import { campaignFields, moreFields, openFields } from "./FormFields.ts"

/** The words on the page for names of the API. */
const labels = new Map<string, string>([
  ...[...campaignFields, ...moreFields].map(({ label, name }): [string, string] => [
    name,
    name.startsWith("emails_") ? label.toLowerCase() : `the ${label.toLowerCase()}`
  ]),
  ["headline figures and break_even", "headline and break-even figures of the API"],
  ["chance_within", "“in … of 100”"],
  ["80% range", "range"],
  ...openFields.map(({ label, open }): [string, string] => [`open.${open}`, label.toLowerCase()]),
  ["break_even_or_unclear", "break-even or unclear"],
  ["is null because", "cannot be computed because"],
  ["are null because", "cannot be computed because"]
])

const names = new RegExp(String.raw`\b(?:${[...labels.keys()].join("|")})\b`, "g")

/** A sentence of a forecast with the labels of the page in place of field names. */
export const withLabels = (sentence: string): string =>
  sentence
    .replaceAll(names, (name) => labels.get(name) ?? name)
    .replaceAll(/\b(a|the) the /gi, "$1 ")
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
