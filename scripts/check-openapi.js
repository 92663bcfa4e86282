/**
 * Lints docs/api/openapi.json with the rules of Redocly, offline. `generate-docs.js --check` says whether it is what the tables say.
 *
 * The accident it prevents: a document that code generators refuse, or that describes the same thing under two names.
 * The rules are Redocly's. Its command brings more packages than its linter, so this starts the linter.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { root } from './workspaces.js'

const page = 'docs/api/openapi.json'
const source = readFileSync(join(root, page), 'utf8')
const config = await createConfig({ extends: ['recommended-strict'] })
const problems = await lintFromString({ source, absoluteRef: join(root, page), config })
for (const { ruleId, message, location } of problems)
  console.error(`${page}${location[0]?.pointer}: ${message} (${ruleId})`)
if (problems.length === 0)
  console.log(`OpenAPI: ${Object.keys(JSON.parse(source).paths).length} paths, nothing to complain of`)
process.exitCode = problems.length === 0 ? 0 : 1
