import type { FormState } from "../site/form.ts"

const wholeHours = /^(?:\d|[1-6]\d|7[0-2])$/

/** For how many hours an old secret is to stay valid, as a form says, or what is wrong with it. */
export const graceHoursOf = ({ grace_hours: given = "" }: FormState["values"]): number | FormState =>
  wholeHours.test(given.trim())
    ? Number(given)
    : {
        values: { grace_hours: given },
        errors: [
          { pointer: "/grace_hours", code: "out_of_range", message: "must be a whole number of hours from 0 to 72" }
        ]
      }
