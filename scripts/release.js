/**
 * `npm run release`: publishes the tarballs that the checks ran on, tags their commit, and leaves what the pages of the releases are
 * made of in `tarballs/`. `changeset status` and `npm publish --dry-run` show what it would publish.
 *
 * The accidents it prevents: a version that was made of something other than what was checked, half a release that cannot go on,
 * and a package that nobody can trace to its source. `changeset publish` packs anew, after the checks: adr/0055.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tarballs } from './release/checked.js'
import { planOf } from './release/plan.js'
import { pagesOf, publish, tag } from './release/publish.js'
import { refusalsOfPlace, refusalsOfPlan } from './release/refusals.js'

try {
  await release()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function release() {
  const refusals = refusalsOfPlace(process.env)
  const plan = refusals.length > 0 ? [] : await planOf(tarballs)
  refusals.push(...refusalsOfPlan(plan))
  if (refusals.length > 0) throw new Error(`Nothing was published:\n${list(refusals)}`)
  await publish(plan, { say: console.log })
  const released = tag(plan, { say: console.log })
  for (const { file, news } of released) writeFileSync(file.replace(/\.tgz$/, '.md'), `${news}\n`)
  writeFileSync(join(tarballs, 'released.txt'), pagesOf(released))
}

function list(lines) {
  return lines.map(line => `- ${line}`).join('\n')
}
