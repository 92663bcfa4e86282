/**
 * Every passage of every point, on both engines: `npm run kills:till` in packages/till. With `--write` its figures go to docs/evidence.
 * Fails where something was wrong.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { writeResult } from '../../../../../scripts/evidence/result.js'
import type { Engine } from '../../kills/engines.js'
import { strikePoints } from './campaign.js'

const { values } = parseArgs({
  options: {
    lanes: { type: 'string', default: '4' },
    engines: { type: 'string', default: 'sqlite,postgres' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
})
const startedAt = new Date()
const { kills, wrong, never, unnamed } = await strikePoints({
  engines: values.engines.split(',') as Engine['name'][],
  lanes: Number(values.lanes),
  only: values.only,
  isThorough: true,
  onProgress: text => process.stderr.write(`${text}\n`),
})
const lines = [...wrong, ...never.map(each => `never struck: ${each}`), ...unnamed.map(each => `has no name: ${each}`)]
process.stdout.write(`${kills} kills, ${lines.length} violations\n${lines.join('\n')}\n`)
if (values.write) writeResult('points', { run: 'npm run kills:till', startedAt, figures: { kills }, violations: lines })
process.exitCode = lines.length === 0 ? 0 : 1
