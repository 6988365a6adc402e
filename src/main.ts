#!/usr/bin/env -S node --max-semi-space-size=8 --heap-growing-percent=50 --no-allocation-site-pretenuring
// A small heap, and every object young at first: objects that V8 allocates in the old space because others of their kind
// lived long keep each request that they refer to until the next full collection.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Runtime, Stdio } from "effect"
import { runCommandLine } from "./CommandLine.ts"

const isServing = process.argv.slice(2).find((word) => !word.startsWith("-")) === "serve"

// The service must not stop if a reader of its log closes the pipe.
process.stderr.on("error", () => {})

/** A server stopped by a signal exits with status 0; any other interrupted command does not. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Runtime.defaultTeardown(exit, (code) => onExit(code === 130 && isServing ? 0 : code))

Stdio.Stdio.use(({ args }) => Effect.flatMap(args, runCommandLine)).pipe(
  Effect.provide(NodeServices.layer),
  // The command line has already printed unexpected errors.
  NodeRuntime.runMain({ teardown, disableErrorReporting: true })
)
