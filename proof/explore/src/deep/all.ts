/** Every family whose causes meet. */
import { changeDeep, followUpDeep } from './change.js'
import { deliveriesDeep } from './deliveries.js'
import type { Deep, Pair } from './family.js'
import { payDeep } from './pay.js'
import { visitDeep } from './visit.js'

export const families: readonly Deep[] = [payDeep(), changeDeep(), followUpDeep, deliveriesDeep, visitDeep]

export const allPairs: readonly Pair[] = families.flatMap(({ pairs }) => pairs)
