/**
 * Holds each published package to a changeset: one that was never released, and one whose source changed since its last release.
 *
 * The accident it prevents: a change that is never released, or one that is released and stands in no CHANGELOG.md. `changeset status` is
 * content with any changeset, also of another package, and no other tool knows changesets.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tagOf } from './project-address.js'
import { git, root, workspaces } from './workspaces.js'

const folder = join(root, '.changeset')
const texts = readdirSync(folder)
  .filter(name => name.endsWith('.md'))
  .map(name => readFileSync(join(folder, name), 'utf8'))

const problems = workspaces()
  .filter(({ manifest }) => !manifest.private)
  .filter(({ manifest }) => !texts.some(text => new RegExp(`^['"]${manifest.name}['"]:`, 'm').test(text)))
  .flatMap(({ directory, manifest: { name, version } }) => reasonFor(directory, name, version) ?? [])
if (problems.length > 0 && git('rev-parse', '--is-shallow-repository') === 'true')
  problems.push('This clone is shallow: git fetch --unshallow --tags')
for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log('changesets: every change of a published package is described')
process.exitCode = problems.length === 0 ? 0 : 1

/** Why a package without a changeset needs one. */
function reasonFor(directory, name, version) {
  if (version === '0.0.0') return `${name} was never released and has no changeset: npm run pm -- changeset`
  const tag = tagOf({ name, version })
  // The pull request with the versions is merged, and the release is still to come; or the tags were not fetched.
  if (git('tag', '--list', tag) === '') {
    const isCut = git('rev-parse', '--is-shallow-repository') === 'true'
    return isCut ? `The tag ${tag} is not here, so nothing tells whether ${name} changed since.` : undefined
  }
  const changed = git('diff', '--name-only', tag, '--', `${directory}/src`, `:!${directory}/src/**/*.test.ts`)
  if (changed === '') return undefined
  const [first, ...others] = changed.split('\n')
  const more = others.length === 0 ? '' : ` and ${others.length} more files`
  return `${name} changed since ${tag} (${first}${more}) and has no changeset: npm run pm -- changeset`
}
