import { Migrator } from "effect/sql"
import { keysAndCredits } from "./migrations/0001_keys_and_credits.ts"
import { accessAndMail } from "./migrations/0002_access_and_mail.ts"
import { idempotency } from "./migrations/0003_idempotency.ts"
import { auditNotes } from "./migrations/0004_audit_notes.ts"
import { orders } from "./migrations/0005_orders.ts"
import { requestCounts } from "./migrations/0006_request_counts.ts"

/** What makes the tables, in its order, in whichever database. */
export const migrations = Migrator.fromRecord({
  "0001_keys_and_credits": keysAndCredits,
  "0002_access_and_mail": accessAndMail,
  "0003_idempotency": idempotency,
  "0004_audit_notes": auditNotes,
  "0005_orders": orders,
  "0006_request_counts": requestCounts
})
