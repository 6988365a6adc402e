import type { Extension } from "../../Extension.ts"
import * as StripePayments from "./StripePayments.ts"
import * as WebhookHttp from "./WebhookHttp.ts"

/** Payments by Stripe. */
export const stripe = {
  routes: WebhookHttp.layer,
  payments: StripePayments.layerConfigured
} as const satisfies Extension
