import { campaignFields, moreFields, openFields, soFarFields } from "./FormFields.ts"
import { thingsOf } from "../tables/Columns.ts"
import { sentenceCase } from "../../forecast/Words.ts"

/** The words on the page for names of the API. */
const labels = new Map<string, string>([
  ...[...campaignFields, ...moreFields].map(({ label, name }): [string, string] => [
    name,
    name.startsWith("emails_") ? label.toLowerCase() : `the ${label.toLowerCase()}`
  ]),
  ["headline figures and break_even", "headline and break-even figures of the API"],
  ["chance_within", "“in … of 100”"],
  ["80% range", "range"],
  ["past campaigns in history", "past campaigns"],
  ...openFields.map(({ label, open }): [string, string] => [`open.${open}`, label.toLowerCase()]),
  ["break_even_or_unclear", "break-even or unclear"],
  ["is null because", "cannot be computed because"],
  ["are null because", "cannot be computed because"]
])

const replacing = (labels: ReadonlyMap<string, string>) => {
  const names = new RegExp(String.raw`\b(?:${[...labels.keys()].join("|")})\b`, "g")
  return (text: string) =>
    text.replaceAll(names, (name) => labels.get(name) ?? name).replaceAll(/\b(a|the) the /gi, "$1 ")
}

const inLabels = replacing(labels)

/** A sentence of a forecast with the labels of the page in place of field names. */
export const withLabels = (sentence: string): string => sentenceCase(inLabels(sentence))

/** The message of an error with the labels of the page in place of field names, those of counts too. */
export const messageWithLabels = replacing(
  new Map([
    ...labels,
    ...soFarFields.flatMap(({ count, label }): ReadonlyArray<[string, string]> => [
      [count, thingsOf(count)],
      [`so_far.${count}`, label.toLowerCase()]
    ])
  ])
)
