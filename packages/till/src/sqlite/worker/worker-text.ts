import { execute } from './execute.js'
import { libsql } from './libsql.js'
import { nodeSqlite } from './node-sqlite.js'
import { serve } from './serve.js'

/**
 * The program of the worker thread, a CommonJS script. It is text, so that it reaches the thread from every build: from these
 * sources, from both kinds of modules, and from a bundler's one file. The build puts the finished text in the place of this file
 * (tsup.config.ts), so that a minifier cannot rename what the functions use.
 */
export const workerText = `(${serve})(require, {
  drivers: { 'node:sqlite': ${nodeSqlite}, libsql: ${libsql} },
  execute: ${execute},
})`
