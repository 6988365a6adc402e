import { longestName, preparedFields } from "./FormFields.ts"
import type { FormValues } from "../../site/form.ts"

/** The title of a report, which browsers suggest as the name of its PDF: the result, and the names on it. */
export const reportTitle = (headline: string, values: FormValues): string => {
  const names = preparedFields.map(({ name }) => (values[name] ?? "").trim().slice(0, longestName))
  const [by = "", client = ""] = names
  return `${headline}${by === "" ? "" : `, by ${by}`}${client === "" ? "" : `, for ${client}`}`
}
