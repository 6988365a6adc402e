/** The output that a page shows after an example. */
export interface Shown {
  readonly format: "json" | "http" | "text"
  readonly text: string
}

export type Language = "curl" | "command" | "Python" | "TypeScript"

/** An example of a page. Without `shown` it prints nothing, or its output is not shown. */
export interface Example {
  /** The page and line, or another name of its place. */
  readonly where: string
  readonly language: Language
  readonly code: string
  readonly shown: Shown | undefined
}

/** The examples of a page, and the reasons for blocks that are not run. */
export interface ExamplePage {
  readonly name: string
  readonly examples: ReadonlyArray<Example>
  /** True if each example is independent instead of continuing the previous one in its language. */
  readonly isIsolated: boolean
  /** The reasons for the blocks that are not run. */
  readonly unrun: ReadonlyArray<string>
}

/** The command lines of a shell block, without comments; a backslash joins lines. */
const commandLines = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.replace(/(?:^|\s+)# .*$/, "").trim())
    .filter((line) => line !== "")

const languageOf = (fence: string, text: string): Language | undefined => {
  switch (fence) {
    case "python":
      return "Python"
    case "ts":
      return "TypeScript"
    case "sh":
      if (text.startsWith("curl ")) return "curl"
      return commandLines(text).every((line) => line.startsWith("npx outreach-forecast ")) ? "command" : undefined
    default:
      return undefined
  }
}

const isFormat = (fence: string): fence is Shown["format"] => fence === "json" || fence === "http" || fence === "text"

/** A fenced block of Markdown, and the comment before it that gives the reason why it is not run, if any. */
const block = /(?:<!-- not run: (.+?) -->\n+)?^```(\w*)\n([\s\S]*?)^```$/gm

/**
 * Reads the examples of a Markdown page. A block right after an example is its output. Any other block must be marked
 * as not run, otherwise it is an error, so that nothing that looks like an example or a response goes unchecked.
 */
export const readExamples = (name: string, markdown: string): ExamplePage => {
  const examples: Array<Example> = []
  const unrun: Array<string> = []
  let end = -1
  let count = 0
  for (const found of markdown.matchAll(block)) {
    const [all, reason, fence = "", text = ""] = found
    count++
    const where = `${name}:${markdown.slice(0, found.index).split("\n").length}`
    const last = examples.at(-1)
    const follows = end !== -1 && markdown.slice(end, found.index).trim() === ""
    const language = languageOf(fence, text)
    end = -1
    if (reason !== undefined) {
      unrun.push(reason)
    } else if (language === "command" && commandLines(text).length > 1) {
      for (const code of commandLines(text)) examples.push({ where, language, code, shown: undefined })
    } else if (language !== undefined) {
      examples.push({
        where,
        language,
        code: language === "command" ? commandLines(text).join() : text,
        shown: undefined
      })
      end = found.index + all.length
    } else if (isFormat(fence) && follows && last !== undefined) {
      examples[examples.length - 1] = { ...last, shown: { format: fence, text } }
    } else {
      throw new Error(`${where} has a block that is neither run, nor an output, nor marked as not run`)
    }
  }
  const isIndented = /(?:^|\n)\s*\n(?: {4}|\t)/.test(markdown.replaceAll(block, ""))
  if (isIndented || markdown.split(/^\s*(?:```|~~~)/m).length - 1 !== count * 2)
    throw new Error(`${name} has a block that is not read`)
  return { name, examples, isIsolated: false, unrun }
}
