import { Schema } from "effect"

/** The date of the last change of figures: the same request gives the same figures until it changes. See docs/changes.md. */
export const modelVersion = "2026-11-23"

export const ModelVersion = Schema.String.annotate({
  description:
    "The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change.",
  examples: [modelVersion]
})
