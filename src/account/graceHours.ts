import type { FormState } from "../site/form.ts"

const wholeHours = /^(?:\d|[1-6]\d|7[0-2])$/

/** The number of hours that an old secret stays valid, from a form, or the error in it. */
export const graceHoursOf = ({ grace_hours: given = "" }: FormState["values"]): number | FormState =>
  wholeHours.test(given.trim())
    ? Number(given)
    : {
        values: { grace_hours: given },
        errors: [
          { pointer: "/grace_hours", code: "out_of_range", message: "must be a whole number of hours from 0 to 72" }
        ]
      }
