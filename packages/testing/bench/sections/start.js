/** How long a gateway takes to start, without sockets: the first one of a process. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from '../../../../bench/median.js'

const program = fileURLToPath(new URL('../start-one.js', import.meta.url))
const times = Array.from({ length: 21 }, () =>
  Number(spawnSync(process.execPath, [program], { encoding: 'utf8' }).stdout),
)

export const rows = [{ name: 'createFakeGateway()', against: 'ms to start', ratio: median(times), atMost: 30 }]
