/**
 * Publishes tarballs one after the other, and goes on where an earlier release stopped.
 *
 * The accident it prevents: half a release that cannot go on. npm says "cannot publish over" of equal and of other content alike.
 */
import { basename } from 'node:path'
import { git } from '../workspaces.js'
import { npm } from './npm.js'
import { onRegistry } from './plan.js'

/**
 * Publishes what the registry has not. A failure ends it, for what comes later needs what failed; the next release skips what is there.
 *
 * An answer of the registry may be lost after it took a tarball. So it is asked before a failure is believed.
 */
export async function publish(plan, { say }) {
  const options = ['--access', 'public', '--ignore-scripts', '--provenance=true']
  for (const release of plan) {
    const { gitTag: id, file, distTag } = release
    if (release.registry.state !== 'absent') {
      say(`${id}: the registry has it, skipped`)
      continue
    }
    const answer = await npm(['publish', file, '--tag', distTag, ...options])
    if (answer.status === 0) {
      say(`${id}: published`)
      continue
    }
    const found = await onRegistry(release)
    if (found.state !== 'same') throw new Error(failureOf(id, answer, found))
    say(`${id}: published; npm failed, and the registry has it`)
  }
}

/** Only a registry that refused the tarball, and has not the version, says that it was not published. */
function failureOf(id, { code, stderr }, { state, reason }) {
  const said = `npm says:\n${stderr.trim()}\n`
  if (state === 'other')
    return (
      `${id} was not published, nor what comes after it: the registry has other content under this version. ` +
      `${said}Raise the version and release again.`
    )
  // After a time-out (408) it may have been taken. Asked a second time, npm is refused what was taken the first time, by some with 409.
  const isRefused = /^E4(?!0[89])\d\d$|^ENEEDAUTH$/.test(code) && !/previously published/i.test(stderr)
  if (state === 'absent' && isRefused)
    return (
      `${id} was not published, nor what comes after it. ` +
      `${said}Do away with the cause and release again: what the registry has is skipped.`
    )
  const answered = state === 'absent' ? 'does not show it' : `did not say whether it has it (${reason})`
  return (
    `${id} may have been published; what comes after it was not. ` +
    `npm failed without a clear refusal, and the registry ${answered}. ` +
    `${said}Release again in some minutes: what the registry has is skipped.`
  )
}

/**
 * Tags the commit that each version was made of, and pushes the tags. What the registry has with other content was made of another commit.
 *
 * @returns the releases whose tag stands at this commit
 */
export function tag(plan, { say }) {
  const untagged = plan.filter(({ gitTag }) => git('tag', '--list', gitTag) === '')
  for (const { gitTag } of untagged.filter(({ registry }) => registry.state === 'other'))
    say(
      `${gitTag}: the registry has other content under this version, so it is not tagged here; its provenance names its commit`,
    )
  const made = untagged.filter(({ registry }) => registry.state !== 'other').map(({ gitTag }) => gitTag)
  for (const name of made) git('tag', name)
  if (made.length > 0) git('push', '--quiet', 'origin', ...made.map(name => `refs/tags/${name}`))
  const here = git('tag', '--points-at', 'HEAD').split('\n')
  return plan.filter(({ gitTag }) => here.includes(gitTag))
}

/** What the page of a release is made of: a line with tag and name of files, for each release. */
export function pagesOf(releases) {
  return releases.map(({ gitTag, file }) => `${gitTag} ${basename(file, '.tgz')}\n`).join('')
}
