import { readFileSync } from 'node:fs'
import { exploreScene, scenes } from './deliveries.js'
const [, , tx, stages, json] = process.argv
const cpu = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
const t = cpu()
const seen = new Set<string>()
const r = exploreScene('two processes', { budget: { ...scenes['two processes'], ...JSON.parse(json!) }, hasTransactions: tx === 'tx', stages: Number(stages) as 1 | 2, look: k => seen.add(k) })
console.log(json, tx, stages, r.worlds, r.depth, [...seen].join(), Math.round(cpu() - t), 'ms', r.found ? JSON.stringify(r.found, null, 1) : '')
