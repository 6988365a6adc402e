import { Effect } from "effect"

/** Loads nodemailer when it is needed: loading it takes a tenth of a start, and most commands send nothing. */
export const loadNodemailer = Effect.promise(() => import("nodemailer"))
