import { readFileSync } from 'node:fs'
import { exploreScene, type Scene } from './deliveries.js'
const [, , name, tx, stages] = process.argv
const cpu = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
const t = cpu()
const seen = new Set<string>()
const r = exploreScene(name as Scene, { hasTransactions: tx === 'tx', stages: Number(stages) as 1 | 2, look: k => seen.add(k) })
console.log(name, tx, stages, r.worlds, r.depth, [...seen].join(), Math.round(cpu() - t), 'ms', r.found ? JSON.stringify(r.found, null, 1) : '')
