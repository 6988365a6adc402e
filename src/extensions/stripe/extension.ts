import type { Extension } from "../../Extension.ts"
import * as StripePayments from "../../orders/payments/StripePayments.ts"
import * as WebhookHttp from "../../orders/WebhookHttp.ts"

/** Payments by Stripe. */
export const stripe = {
  routes: WebhookHttp.layer,
  payments: StripePayments.layerConfigured
} as const satisfies Extension
