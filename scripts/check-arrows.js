/**
 * Fails when a package depends on something it must not.
 *
 * The accident it prevents: someone who has their own HTTP client installs `@tillkit/signing` and gets undici, or the
 * fake gateway comes to need the client whose tests need the fake. Both the manifests and the imports are read, for an
 * import of an undeclared package works in a workspace and breaks at the user's.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, workspaces } from './workspaces.js'

/** What each package may use at run time; the design's arrows. Reasons for the external ones are in adr/0001. */
const allowed = {
  '@tillkit/signing': [],
  '@tillkit/protocol': ['@tillkit/signing'],
  '@tillkit/client': ['@tillkit/signing', '@tillkit/protocol', 'undici'],
  '@tillkit/express-middleware': ['@tillkit/signing', '@tillkit/protocol', 'jose', 'express'],
  '@tillkit/testing': ['@tillkit/signing', '@tillkit/protocol', 'undici'],
  '@tillkit/till': ['@tillkit/protocol', '@tillkit/client', '@tillkit/express-middleware', 'libsql', 'pg'],
  tillkit: [
    '@tillkit/signing',
    '@tillkit/protocol',
    '@tillkit/client',
    '@tillkit/testing',
    '@tillkit/till',
    'commander',
    'undici',
  ],
}

/** What tests may use besides. `signing` is guarded by vectors of others, so it must not be tested with the fake. */
const alsoInTests = {
  '@tillkit/signing': ['fast-check', 'mastercard-oauth1-signer', 'oauth-1.0a', 'oauth-sign'],
  '@tillkit/protocol': ['fast-check'],
  '@tillkit/client': [
    '@opentelemetry/api',
    '@opentelemetry/sdk-trace-base',
    '@tillkit/testing',
    'fast-check',
    'stripe',
  ],
  '@tillkit/express-middleware': [
    '@fastify/formbody',
    '@hono/node-server',
    '@koa/bodyparser',
    '@octokit/webhooks',
    '@tillkit/client',
    '@tillkit/testing',
    '@types/express',
    '@types/koa',
    'connect',
    'express-4',
    'express-4-17',
    'express-rate-limit',
    'fastify',
    'helmet',
    'hono',
    'koa',
    'playwright-core',
  ],
  '@tillkit/testing': ['axe-core', 'expect', 'fast-check', 'playwright-core'],
  '@tillkit/till': [
    '@opentelemetry/api',
    '@opentelemetry/sdk-metrics',
    '@temporalio/client',
    '@temporalio/workflow',
    '@tillkit/testing',
    '@types/express',
    '@types/pg',
    'bullmq',
    'express',
    'knex',
    'pg-boss',
    'playwright-core',
    'postgres',
  ],
  tillkit: [
    '@seriousme/openapi-schema-validator',
    '@tillkit/express-middleware',
    '@types/express',
    'ajv',
    'express',
    'libsql',
    'playwright-core',
  ],
}

const problems = []
for (const { directory, manifest } of workspaces().filter(({ directory }) => directory.startsWith('packages'))) {
  const may = allowed[manifest.name]
  if (may === undefined) {
    problems.push(`${manifest.name} is not in scripts/check-arrows.js: say what it may use.`)
    continue
  }
  const runtime = ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap(kind =>
    Object.keys(manifest[kind] ?? {}),
  )
  complain(manifest.name, 'package.json', runtime, may)
  complain(manifest.name, 'devDependencies', Object.keys(manifest.devDependencies ?? {}), [
    ...may,
    ...alsoInTests[manifest.name],
  ])
  for (const file of sourcesOf(join(root, directory, 'src'))) {
    const isTest = file.endsWith('.test.ts')
    const imports = importsOf(file).filter(name => !(isTest && name === 'vitest'))
    complain(
      manifest.name,
      file.slice(root.length + 1),
      imports,
      isTest ? [...may, ...alsoInTests[manifest.name]] : may,
    )
  }
  if (manifest.name === '@tillkit/signing' && runtime.length > 0) {
    problems.push('@tillkit/signing must have no dependencies, peers or optional dependencies.')
  }
}

function complain(name, where, used, may) {
  for (const each of used) {
    if (!may.includes(each))
      problems.push(`${name} must not use ${each} (${where}). It may use: ${may.join(', ') || 'nothing'}.`)
  }
}

function sourcesOf(directory) {
  return readdirSync(directory, { recursive: true })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(directory, name))
}

/** Packages that a file imports; node: modules and relative paths left out. */
function importsOf(file) {
  const text = readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    // Takes nothing from a package whose types are added to.
    .replace(/^import type \{\} from .*$/gm, '')
  const statements =
    /^(?:import|export)\b[^'"]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]/gm
  const specifiers = [...text.matchAll(statements)].map(match => match[1] ?? match[2] ?? match[3])
  return specifiers
    .filter(name => !name.startsWith('.') && !name.startsWith('node:'))
    .map(name =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    )
}

for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log('arrows: every package uses only what the design lets it')
process.exitCode = problems.length === 0 ? 0 : 1
