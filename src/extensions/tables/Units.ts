import { type CampaignRow, type StepResult, without } from "./CampaignRows.ts"
import type { ReadColumn } from "./ColumnUses.ts"

/** The number of emails that each contact got, as typed; undefined if it is none. */
export const readEmailsPerContact = (text: string): number | undefined => {
  const emails = Number(text.trim().replace(",", "."))
  return emails > 0 && emails <= 100 ? emails : undefined
}

/** The question that the number answers. */
export const contactsQuestion = "How many emails did each contact get?"

/** Counts of emails from counts of contacts: multiplied by the emails that each of them got, which is asked for. */
export const inEmails = (
  rows: ReadonlyArray<CampaignRow>,
  columns: ReadonlyArray<ReadColumn>,
  emailsPerContact: number | undefined,
  areContacts: boolean
): StepResult => {
  const emails = columns.find(({ use }) => use === "emails_sent")
  const delivered = columns.find(({ use }) => use === "delivered")
  const withoutDelivered = rows.map((row) => ({ ...row, counts: without(row.counts, ["delivered"]) }))
  const isOfContacts = emails === undefined ? areContacts : emails.isOfContacts
  if (!isOfContacts) {
    return emails === undefined || delivered?.isOfContacts !== true
      ? { rows }
      : {
          rows: withoutDelivered,
          leftOut: [`“${delivered.name}” is not used: it counts contacts, not emails.`]
        }
  }
  const above = rows.filter(({ counts }) => (counts.delivered ?? 0) > (counts.emails_sent ?? 0))
  const leftOut =
    above.length === 0 ? [] : [`“Delivered” is not used: in ${above[0]?.shown} it is above the number of contacts.`]
  const fitting: ReadonlyArray<CampaignRow> = above.length === 0 ? rows : withoutDelivered
  const what = emails === undefined ? "Each row is one contact" : `“${emails.name}” counts contacts, not emails`
  if (emailsPerContact === undefined) {
    const offer = { label: "Contacts × 3 emails", emailsPerContact: 3 }
    const sentence = `${what}. ${contactsQuestion}`
    return { rows: fitting, leftOut, questions: [{ choice: "emailsPerContact", sentence, offers: [offer] }] }
  }
  const times = (count: number) => Math.round(count * emailsPerContact)
  return {
    rows: fitting.map(({ counts: { delivered, emails_sent, ...others }, ...row }) => ({
      ...row,
      counts: {
        ...others,
        ...(emails_sent === undefined ? {} : { emails_sent: times(emails_sent) }),
        ...(delivered === undefined ? {} : { delivered: times(delivered) })
      }
    })),
    leftOut,
    notes: [`${what}: emails sent are the contacts times ${emailsPerContact}.`]
  }
}
