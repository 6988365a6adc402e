// Generated from the OpenAPI document by `npm run fix`. Do not edit.
import type * as Wire from "./Wire.ts"

/** What each operation takes and returns. */
export interface Operations {
  readonly "POST /api/v1/forecast": {
    readonly sent: { readonly body: Wire.ForecastRequest }
    readonly answer: Wire.ForecastAnswer
  }
  readonly "POST /api/v1/service/roi": {
    readonly sent: { readonly body: Wire.ForecastRequest }
    readonly answer: Wire.LegacyForecastAnswer
  }
  readonly "POST /api/v1/goals": {
    readonly sent: { readonly body: Wire.GoalRequest }
    readonly answer: Wire.GoalAnswer
  }
  readonly "POST /api/v1/progress": {
    readonly sent: { readonly body: Wire.ProgressRequest }
    readonly answer: Wire.ProgressAnswer
  }
  readonly "POST /api/v1/forecasts": {
    readonly sent: { readonly body: Wire.CampaignsRequest }
    readonly answer: Wire.CampaignsAnswer
  }
  readonly "GET /api/v1/benchmarks": {
    readonly sent: object
    readonly answer: Wire.Benchmarks
  }
  readonly "GET /api/v1/usage": {
    readonly sent: { readonly query: { readonly by?: string | undefined; readonly month?: string | undefined } }
    readonly answer: Wire.KeyUsage | Wire.UsageTable
  }
  readonly "GET /api/v1/credits/ledger": {
    readonly sent: { readonly query: { readonly cursor?: string | undefined; readonly limit?: number | undefined } }
    readonly answer: Wire.LedgerPage
  }
  readonly "GET /api/v1/credit-packs": {
    readonly sent: object
    readonly answer: Wire.CreditPacks
  }
  readonly "POST /api/v1/keys/rotate": {
    readonly sent: { readonly body: Wire.Rotation }
    readonly answer: Wire.RotatedKey
  }
  readonly "GET /api/v1/sub-keys": {
    readonly sent: { readonly query: { readonly cursor?: string | undefined; readonly limit?: number | undefined } }
    readonly answer: Wire.SubKeys
  }
  readonly "POST /api/v1/sub-keys": {
    readonly sent: { readonly body: Wire.SubKeyInput }
    readonly answer: Wire.CreatedSubKey
  }
  readonly "GET /api/v1/sub-keys/{sub_key_id}": {
    readonly sent: { readonly path: { readonly sub_key_id: string } }
    readonly answer: Wire.SubKey
  }
  readonly "PATCH /api/v1/sub-keys/{sub_key_id}": {
    readonly sent: { readonly body: Wire.SubKeyChange; readonly path: { readonly sub_key_id: string } }
    readonly answer: Wire.SubKey
  }
  readonly "DELETE /api/v1/sub-keys/{sub_key_id}": {
    readonly sent: { readonly path: { readonly sub_key_id: string } }
    readonly answer: object
  }
  readonly "POST /api/v1/sub-keys/{sub_key_id}/rotate": {
    readonly sent: { readonly body: Wire.Rotation; readonly path: { readonly sub_key_id: string } }
    readonly answer: Wire.RotatedKey
  }
}
