/** An error in the records of a key's credits. In a damaged database no key may have the id `keyId`. */
export interface LedgerFault {
  readonly keyId: string
  readonly what: string
  readonly expected: string | number
  readonly found: string | number
}
