// Loaded into a server before its own code: sends its requests to Stripe to the port STRIPE_PORT of this machine, as
// HTTP.
import http from "node:http"
import https from "node:https"

const { STRIPE_PORT: port } = process.env

Object.assign(https, {
  request: (/** @type {https.RequestOptions} */ { headers, method, path }) =>
    http.request({ headers, method, path, host: "127.0.0.1", port })
})
