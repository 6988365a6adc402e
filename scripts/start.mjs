// Serves, for `npm start`. npm runs scripts in a shell, which ends when npm is told to stop without passing it on: the service
// stops when its shell is gone.
const shell = process.ppid
setInterval(() => {
  if (process.ppid !== shell) process.kill(process.pid, "SIGTERM")
}, 200).unref()

process.argv.splice(2, 0, "serve")
// Made by the build, and so unknown to the types.
const program = "../dist/main.js"
await import(program)
