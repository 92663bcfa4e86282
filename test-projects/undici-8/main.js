import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

assert.match(JSON.parse(readFileSync('node_modules/undici/package.json', 'utf8')).version, /^8\./)
await import('./undici-7/main.js')
