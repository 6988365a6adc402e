// The package's own types are a list of all models with their prices.
declare module "gpt-tokenizer/encoding/o200k_base" {
  /** The number of tokens in a text. */
  export const countTokens: (text: string) => number
}
