// The parts of highlight.js that the build uses: its own types would add the types of browsers to all code.
/** A language that can be registered. */
interface Language {
  readonly name: string
}

declare const module: Language & {
  readonly registerLanguage: (name: string, language: Language) => void
  readonly getLanguage: (name: string) => Language | undefined
  readonly highlight: (code: string, options: { readonly language: string }) => { readonly value: string }
}
export default module
