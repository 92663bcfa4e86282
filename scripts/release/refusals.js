/**
 * Why nothing is published: everything that a careful person would look at, all at once.
 *
 * The accident it prevents: an unmerged, unchecked or unnamed state becomes a version for good. npm asks for none of it.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { projectAddress } from '../project-address.js'
import { git, root } from '../workspaces.js'
import { changedFiles, uncheckedReason } from './checked.js'

/** What is wrong with this place: its commit, its settings, what was checked. */
export function refusalsOfPlace(environment) {
  const { url, isPlaceholder } = projectAddress()
  const branch = git('branch', '--show-current')
  const isPushed = git('branch', '--remotes', '--contains', 'HEAD', '--list', 'origin/main') !== ''
  const pending = readdirSync(join(root, '.changeset')).filter(name => name.endsWith('.md'))
  const unchecked = uncheckedReason()
  // What npm makes provenance of: the identity that a workflow gets where it may ask for one.
  const hasIdentity = Boolean(environment.ACTIONS_ID_TOKEN_REQUEST_URL ?? environment.SIGSTORE_ID_TOKEN)
  return [
    !hasIdentity &&
      'provenance can be made in a public CI only: start the workflow "release" there, and do not publish from a machine',
    isPlaceholder &&
      `the project has no address yet: write it in place of ${url} into "repository" of the root package.json`,
    changedFiles() !== '' && `the work tree has changes that no commit has:\n${changedFiles()}`,
    branch !== 'main' && `this is ${branch === '' ? 'no branch' : `the branch ${branch}`}: a release is made of main`,
    !isPushed && 'this commit is not on origin/main: merge it first',
    pending.length > 0 &&
      `changesets are not yet versions: merge a pull request with npm run pm -- changeset version (${pending.join(', ')})`,
    unchecked,
  ].filter(Boolean)
}

/** What is wrong with the versions that would be published. */
export function refusalsOfPlan(plan) {
  return plan.flatMap(({ name, version, distTag, news, registry: { state, latest, reason } }) => {
    if (state === 'unknown')
      return [`the registry did not say which versions of ${name} it has (${reason}): try again later`]
    if (state !== 'absent') return []
    return [
      version === '0.0.0' && `${name} has no version yet`,
      news === '' && `CHANGELOG.md of ${name} says nothing of ${version}`,
      distTag === 'latest' &&
        isOlder(version, latest) &&
        `${name} ${version} is older than ${latest}, which npm install takes now`,
    ].filter(Boolean)
  })
}

function isOlder(version, latest = '0.0.0') {
  const numbers = text => text.split('-')[0].split('.').map(Number)
  const [ours, theirs] = [numbers(version), numbers(latest)]
  const at = ours.findIndex((number, index) => number !== theirs[index])
  return at !== -1 && ours[at] < theirs[at]
}
