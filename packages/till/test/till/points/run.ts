/**
 * Every passage of every point, on both engines: `npm run kills:till` in packages/till. Fails where something was wrong.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import type { Engine } from '../../kills/engines.js'
import { strikePoints } from './campaign.js'

const { values } = parseArgs({
  options: {
    lanes: { type: 'string', default: '4' },
    engines: { type: 'string', default: 'sqlite,postgres' },
    only: { type: 'string', default: '' },
  },
})
const { kills, wrong, never, unnamed } = await strikePoints({
  engines: values.engines.split(',') as Engine['name'][],
  lanes: Number(values.lanes),
  only: values.only,
  isThorough: true,
  onProgress: text => process.stderr.write(`${text}\n`),
})
const lines = [...wrong, ...never.map(each => `never struck: ${each}`), ...unnamed.map(each => `has no name: ${each}`)]
process.stdout.write(`${kills} kills, ${lines.length} violations\n${lines.join('\n')}\n`)
process.exitCode = lines.length === 0 ? 0 : 1
