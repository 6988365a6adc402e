import { type FormReading, readForm } from "./readForm.ts"
import { importPasted } from "../tables/importTable.ts"
import { contactsField } from "./FormFields.ts"
import { historyField } from "../tables/Fragment.ts"
import { cellsOfCampaign, isOwn, tableOf } from "../tables/PastRows.ts"
import { firstFew } from "../tables/CampaignRows.ts"
import { type PreviewRow, readPastTable } from "../tables/PastTable.ts"
import { readEmailsPerContact } from "../tables/Units.ts"
import type { FormValues } from "../../site/form.ts"

/** A form that was sent without the script, and sentences about how its table of past campaigns was understood. */
export interface PastedForm extends FormReading {
  readonly said: ReadonlyArray<string>
}

/** Sentences about the rows that are not used, one for each reason. */
const untickedRows = (rows: ReadonlyArray<PreviewRow>): ReadonlyArray<string> =>
  Map.groupBy(
    rows.filter(({ isTicked }) => !isTicked),
    ({ reason, refusal }) => refusal ?? reason ?? ""
  )
    .entries()
    .map(
      ([why, those]) =>
        `${firstFew(those.map(({ shown }) => shown))} ${those.length === 1 ? "is" : "are"} left out: ${why}.`
    )
    .toArray()

/**
 * Reads a form as `readForm`, but with past campaigns as any table, as a browser without the script sends it. Where the
 * page would ask, there is an error.
 */
export const readPastedForm = (values: FormValues): PastedForm => {
  const text = values[historyField] ?? ""
  if (isOwn(text) || text.trim() === "") return { ...readForm(values), said: [] }
  const alone = readForm({ ...values, [historyField]: "" })
  const failed = (message: string): PastedForm => ({
    values,
    said: [],
    input: undefined,
    errors: [...alone.errors, { pointer: `/${historyField}`, code: "invalid_format", message }]
  })
  const found = importPasted(text)
  if ("refusal" in found) return failed(`cannot be read: ${found.refusal}`)
  const emailsPerContact = readEmailsPerContact(values[contactsField] ?? "")
  // Rates that are wrong are reported by themselves.
  const { campaigns, columns, leftOut, notes, obstacle, rows } = readPastTable(
    found.table,
    { ...(emailsPerContact !== undefined && { emailsPerContact }) },
    { existing: [], campaign: alone.input?.first.assumptions ?? {} }
  )
  const why = columns.flatMap(({ why }) => why ?? [])
  if (obstacle !== undefined && alone.input !== undefined)
    return failed(`cannot be used: ${[...why, obstacle].join(" ")}`)
  const own = tableOf(campaigns.map(cellsOfCampaign))
  return {
    ...readForm({ ...values, [historyField]: own }),
    said: [...notes, ...why, ...leftOut, ...untickedRows(rows)]
  }
}
